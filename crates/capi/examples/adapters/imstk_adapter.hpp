/* palpate as a collision detection of iMSTK: the same base class, the same elements, any of iMSTK's class names.
 *
 * Define PALPATE_WITH_IMSTK and give the compiler iMSTK's include folders; without it the header uses a stand-in. In a scene,
 *
 *     collision->setCollisionDetection(std::make_shared<palpate::ImstkCD>("SurfaceMeshToCapsuleCD"));
 *
 * uses palpate's detector of that name with iMSTK's sidedness and number of contacts; "" uses the default of the two kinds. */
#ifndef PALPATE_IMSTK_ADAPTER_HPP
#define PALPATE_IMSTK_ADAPTER_HPP

#ifdef PALPATE_WITH_IMSTK
#include "imstkCapsule.h"
#include "imstkCollisionData.h"
#include "imstkCollisionDetectionAlgorithm.h"
#include "imstkLineMesh.h"
#include "imstkPlane.h"
#include "imstkPointSet.h"
#include "imstkSphere.h"
#include "imstkSurfaceMesh.h"
#include "imstkTetrahedralMesh.h"
#include "imstkVecDataArray.h"
#else
#include "imstk_stand_in.hpp"
#endif

#include <palpate.hpp>

namespace palpate {

class ImstkCD : public imstk::CollisionDetectionAlgorithm {
public:
    explicit ImstkCD(std::string name = "", double margin = 0) : name_(std::move(name)), margin_(margin) {
        setRequiredInputType<imstk::Geometry>(0);
        setRequiredInputType<imstk::Geometry>(1);
    }
    const std::string getTypeName() const override { return name_.empty() ? "PalpateCD" : name_; }

protected:
    void computeCollisionDataAB(std::shared_ptr<imstk::Geometry> a, std::shared_ptr<imstk::Geometry> b,
                                std::vector<imstk::CollisionElement> &elementsA,
                                std::vector<imstk::CollisionElement> &elementsB) override {
        if (a != inputs_[0] || b != inputs_[1]) bind(a, b);
        move(ids_[0], *a);
        if (a != b) move(ids_[1], *b);
        scene_.step();
        for (const Contact &contact : scene_.contacts(pair_)) {
            bool meshes = contact.a.vertex_count > 0 && contact.b.vertex_count > 0;
            elementsA.push_back(element(contact.a, contact, 1, meshes));
            elementsB.push_back(element(contact.b, contact, -1, meshes));
        }
    }

private:
    void bind(const std::shared_ptr<imstk::Geometry> &a, const std::shared_ptr<imstk::Geometry> &b) {
        Scene fresh;
        ids_[0] = fresh.add("A", make(*a));
        ids_[1] = a == b ? ids_[0] : fresh.add("B", make(*b));
        palpate_pair_options options = palpate_pair_options_default();
        options.margin = margin_;
        options.detector = name_.empty() ? nullptr : name_.c_str();
        pair_ = fresh.add_pair(ids_[0], ids_[1], options);
        scene_ = std::move(fresh);
        inputs_[0] = a;
        inputs_[1] = b;
    }

    static palpate_points vertices(imstk::PointSet &points) {
        auto positions = points.getVertexPositions();
        return palpate::points(
            Span<const double>(reinterpret_cast<const double *>(positions->getPointer()), 3 * size_t(positions->size())));
    }
    template <int N, class Mesh> static Geometry mesh(uint32_t kind, Mesh &mesh) {
        auto cells = mesh.getCells();
        auto ids = reinterpret_cast<const int32_t *>(cells->getPointer());
        return Geometry::mesh(kind, vertices(mesh), palpate::cells(Span<const int32_t>(ids, N * size_t(cells->size())), N));
    }
    static Vec3 vec3(const imstk::Vec3d &v) { return {v[0], v[1], v[2]}; }
    static Pose pose(imstk::AnalyticalGeometry &shape) {
        auto turn = shape.getOrientation();
        return Pose(vec3(shape.getPosition()), turn.w(), turn.x(), turn.y(), turn.z());
    }

    static Geometry make(imstk::Geometry &geometry) {
        if (auto *tetrahedra = dynamic_cast<imstk::TetrahedralMesh *>(&geometry))
            return mesh<4>(PALPATE_TETRA_MESH, *tetrahedra);
        if (auto *surface = dynamic_cast<imstk::SurfaceMesh *>(&geometry))
            return mesh<3>(PALPATE_SURFACE_MESH, *surface);
        if (auto *lines = dynamic_cast<imstk::LineMesh *>(&geometry)) return mesh<2>(PALPATE_LINE_MESH, *lines);
        if (auto *points = dynamic_cast<imstk::PointSet *>(&geometry)) return Geometry::point_set(vertices(*points));
        if (auto *capsule = dynamic_cast<imstk::Capsule *>(&geometry))
            return Geometry::capsule(pose(*capsule), capsule->getRadius(), capsule->getLength());
        if (auto *sphere = dynamic_cast<imstk::Sphere *>(&geometry))
            return Geometry::sphere(vec3(sphere->getPosition()), sphere->getRadius());
        if (auto *plane = dynamic_cast<imstk::Plane *>(&geometry))
            return Geometry::plane(vec3(plane->getPosition()), vec3(plane->getNormal()));
        // Its JSON type is unknown to palpate: the error names it.
        return Geometry::json(("{\"type\": \"" + geometry.getTypeName() + "\"}").c_str());
    }

    /* Sizes of shapes and cells of meshes are those of the first update. */
    void move(GeometryId id, imstk::Geometry &geometry) {
        if (auto *points = dynamic_cast<imstk::PointSet *>(&geometry))
            scene_.set_vertices(id, vertices(*points));
        else if (dynamic_cast<imstk::Plane *>(&geometry))
            scene_.replace(id, make(geometry)); // its normal is not part of its pose
        else if (auto *shape = dynamic_cast<imstk::AnalyticalGeometry *>(&geometry))
            scene_.set_pose(id, pose(*shape));
    }

    /* One side of a contact: a shape is a point with a direction, a vertex against a shape its index with a direction, anything
     * else a cell by its vertices, with the cell that owns it as parent. */
    static imstk::CollisionElement element(const Feature &side, const Contact &contact, double sign, bool meshes) {
        imstk::Vec3d way(sign * contact.direction[0], sign * contact.direction[1], sign * contact.direction[2]);
        if (side.vertex_count == 0) {
            imstk::PointDirectionElement made;
            made.pt = imstk::Vec3d(side.point[0], side.point[1], side.point[2]);
            made.dir = way;
            made.penetrationDepth = contact.depth;
            return made;
        }
        if (side.vertex_count == 1 && !meshes) {
            imstk::PointIndexDirectionElement made;
            made.ptIndex = int(side.vertices[0]);
            made.dir = way;
            made.penetrationDepth = contact.depth;
            return made;
        }
        imstk::CellIndexElement made;
        made.idCount = int(side.vertex_count);
        for (int k = 0; k < made.idCount; k++) made.ids[k] = int(side.vertices[k]);
        made.parentId = side.cell == PALPATE_NONE ? -1 : int(side.cell);
        const imstk::CellTypeId types[] = {IMSTK_VERTEX, IMSTK_EDGE, IMSTK_TRIANGLE, IMSTK_TETRAHEDRON};
        made.cellType = types[side.vertex_count - 1];
        return made;
    }

    std::string name_;
    double margin_;
    Scene scene_;
    std::shared_ptr<imstk::Geometry> inputs_[2];
    GeometryId ids_[2];
    PairId pair_;
};

} // namespace palpate

#endif
