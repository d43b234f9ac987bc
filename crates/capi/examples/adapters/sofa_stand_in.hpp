/* A stand-in for the headers of SOFA that the adapter uses: the names and types of its collision models and of the output of its
 * narrow phase, as far as they are needed to compile and test the adapter without SOFA. Not SOFA, and none of its code. */
#ifndef PALPATE_SOFA_STAND_IN_HPP
#define PALPATE_SOFA_STAND_IN_HPP

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace sofa {
namespace type {
struct Vec3 {
    std::array<double, 3> values{};
    Vec3() = default;
    Vec3(double x, double y, double z) : values{{x, y, z}} {}
    double operator[](size_t axis) const { return values[axis]; }
};
template <class T> using vector = std::vector<T>;
} // namespace type

namespace core {
class CollisionModel {
public:
    virtual ~CollisionModel() = default;
};
class CollisionElementIterator {
public:
    CollisionElementIterator(CollisionModel *model, size_t index) : model_(model), index_(index) {}
    CollisionModel *getCollisionModel() const { return model_; }
    size_t getIndex() const { return index_; }

private:
    CollisionModel *model_;
    size_t index_;
};

namespace collision {
class DetectionOutput {
public:
    std::pair<CollisionElementIterator, CollisionElementIterator> elem{{nullptr, 0}, {nullptr, 0}};
    int64_t id = 0;
    type::Vec3 point[2];
    type::Vec3 normal;
    double value = 0;
    double deltaT = 0;
};
} // namespace collision
} // namespace core
} // namespace sofa

#endif
