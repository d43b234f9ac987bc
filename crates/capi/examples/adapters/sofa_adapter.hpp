/* palpate's contacts as the output of SOFA's narrow phase.
 *
 * Define PALPATE_WITH_SOFA and give the compiler SOFA's include folders; without it the header uses a stand-in. In the
 * addCollisionPair of a NarrowPhaseDetection, and in its endNarrowPhase:
 *
 *     narrow.add(models.first, models.second);        // once for each pair; both were given to narrow.set before
 *     narrow.step();
 *     narrow.output(models.first, models.second, outputs);
 *
 * where `outputs` is the TDetectionOutputVector of the two models, or any vector of DetectionOutput. */
#ifndef PALPATE_SOFA_ADAPTER_HPP
#define PALPATE_SOFA_ADAPTER_HPP

#ifdef PALPATE_WITH_SOFA
#include <sofa/core/CollisionElement.h>
#include <sofa/core/CollisionModel.h>
#include <sofa/core/collision/DetectionOutput.h>
#else
#include "sofa_stand_in.hpp"
#endif

#include <palpate.hpp>

#include <map>

namespace palpate {

class SofaNarrowPhase {
public:
    using Model = sofa::core::CollisionModel;
    using Output = sofa::core::collision::DetectionOutput;

    /* Pairs closer than `alarm` are reported; `contact` is the distance that is kept, as of SOFA's proximities. Metres. */
    SofaNarrowPhase(double alarm, double contact) : alarm_(alarm), contact_(contact) {}

    /* The triangles of a model, counter-clockwise seen from outside, and its positions (three numbers each). */
    void set(Model *model, Span<const double> positions, Span<const uint32_t> triangles) {
        auto known = ids_.find(model);
        if (known != ids_.end()) {
            scene_.set_vertices(known->second, points(positions));
            return;
        }
        std::string name = "model " + std::to_string(ids_.size());
        Geometry mesh = Geometry::mesh(PALPATE_SURFACE_MESH, points(positions), cells(triangles, 3));
        ids_[model] = scene_.add(name.c_str(), std::move(mesh));
    }
    /* A model that is a single sphere. */
    void set(Model *model, Vec3 center, double radius) {
        auto known = ids_.find(model);
        if (known != ids_.end())
            scene_.set_pose(known->second, Pose(center));
        else
            ids_[model] = scene_.add(("model " + std::to_string(ids_.size())).c_str(), Geometry::sphere(center, radius));
    }

    /* A pair of two models, or of a model with itself; nothing if it is known. */
    void add(Model *first, Model *second) {
        std::pair<Model *, Model *> key(first, second);
        if (pairs_.count(key) == 0) pairs_.emplace(key, scene_.add_pair(ids_.at(first), ids_.at(second), alarm_));
    }

    void step() { scene_.step(); }

    /* Replaces the outputs by the contacts of the last step. */
    template <class Vector> void output(Model *first, Model *second, Vector &outputs) {
        outputs.clear();
        for (const Contact &contact : scene_.contacts(pairs_.at(std::make_pair(first, second)))) {
            Output made;
            made.elem = std::make_pair(element(first, contact.a), element(second, contact.b));
            made.id = static_cast<int64_t>(contact.id);
            made.point[0] = vec(contact.a.point);
            made.point[1] = vec(contact.b.point);
            // SOFA's normal points out of the first model; palpate's direction moves the first model out of the second.
            const double *way = contact.direction;
            made.normal = sofa::type::Vec3(-way[0], -way[1], -way[2]);
            made.value = -contact.depth - contact_;
            outputs.push_back(made);
        }
    }

private:
    /* The triangle that owns the element, or 0 of a shape. */
    static sofa::core::CollisionElementIterator element(Model *model, const Feature &side) {
        using Index = decltype(sofa::core::CollisionElementIterator(model, 0).getIndex());
        return sofa::core::CollisionElementIterator(model, Index(side.cell == PALPATE_NONE ? 0 : side.cell));
    }
    static sofa::type::Vec3 vec(const double *p) { return sofa::type::Vec3(p[0], p[1], p[2]); }

    double alarm_, contact_;
    Scene scene_;
    std::map<Model *, GeometryId> ids_;
    std::map<std::pair<Model *, Model *>, PairId> pairs_;
};

} // namespace palpate

#endif
