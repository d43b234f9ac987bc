/* A stand-in for the headers of iMSTK that the adapter uses: the names and types of its collision data and of its geometry, as
 * far as they are needed to compile and test the adapter without iMSTK. Not iMSTK, and none of its code. */
#ifndef PALPATE_IMSTK_STAND_IN_HPP
#define PALPATE_IMSTK_STAND_IN_HPP

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define IMSTK_TYPE_NAME(name)                                                                                          \
    static const std::string getStaticTypeName() { return #name; }                                                     \
    const std::string getTypeName() const override { return #name; }

namespace imstk {

/* Three numbers, as far as Eigen's are used here. */
struct Vec3d {
    std::array<double, 3> values{};
    Vec3d() = default;
    Vec3d(double x, double y, double z) : values{{x, y, z}} {}
    double &operator[](int axis) { return values[size_t(axis)]; }
    double operator[](int axis) const { return values[size_t(axis)]; }
    const double *data() const { return values.data(); }
    static Vec3d Zero() { return {}; }
};
struct Quatd {
    double parts[4] = {1, 0, 0, 0};
    double w() const { return parts[0]; }
    double x() const { return parts[1]; }
    double y() const { return parts[2]; }
    double z() const { return parts[3]; }
};

template <class T, int N> class VecDataArray {
public:
    explicit VecDataArray(std::vector<std::array<T, size_t(N)>> values) : values_(std::move(values)) {}
    int size() const { return int(values_.size()); }
    T *getPointer() { return values_.empty() ? nullptr : values_[0].data(); }

private:
    std::vector<std::array<T, size_t(N)>> values_;
};

class Geometry {
public:
    virtual ~Geometry() = default;
    virtual const std::string getTypeName() const = 0;
};
class PointSet : public Geometry {
public:
    IMSTK_TYPE_NAME(PointSet)
    std::shared_ptr<VecDataArray<double, 3>> positions;
    std::shared_ptr<VecDataArray<double, 3>> getVertexPositions() const { return positions; }
};
template <int N> class CellMesh : public PointSet {
public:
    std::shared_ptr<VecDataArray<int, N>> indices;
    std::shared_ptr<VecDataArray<int, N>> getCells() const { return indices; }
};
class LineMesh : public CellMesh<2> {
public:
    IMSTK_TYPE_NAME(LineMesh)
};
class SurfaceMesh : public CellMesh<3> {
public:
    IMSTK_TYPE_NAME(SurfaceMesh)
};
class TetrahedralMesh : public CellMesh<4> {
public:
    IMSTK_TYPE_NAME(TetrahedralMesh)
};
class AnalyticalGeometry : public Geometry {
public:
    Vec3d position;
    Quatd orientation;
    Vec3d getPosition() { return position; }
    Quatd getOrientation() { return orientation; }
};
class Sphere : public AnalyticalGeometry {
public:
    IMSTK_TYPE_NAME(Sphere)
    double radius = 1;
    double getRadius() { return radius; }
};
class Capsule : public Sphere {
public:
    IMSTK_TYPE_NAME(Capsule)
    double length = 1;
    double getLength() { return length; }
};
class Plane : public AnalyticalGeometry {
public:
    IMSTK_TYPE_NAME(Plane)
    Vec3d normal{0, 1, 0};
    Vec3d getNormal() { return normal; }
};

using CellTypeId = unsigned char;
#define IMSTK_VERTEX 0
#define IMSTK_EDGE 1
#define IMSTK_TRIANGLE 2
#define IMSTK_TETRAHEDRON 4
enum class CollisionElementType { Empty, CellVertex, CellIndex, PointDirection, PointIndexDirection };
struct CellIndexElement {
    int ids[4] = {-1, -1, -1, -1};
    int parentId = -1;
    int idCount = 0;
    CellTypeId cellType = IMSTK_VERTEX;
};
struct PointDirectionElement {
    Vec3d pt, dir;
    double penetrationDepth = 0;
};
struct PointIndexDirectionElement {
    int ptIndex = 0;
    Vec3d dir;
    double penetrationDepth = 0;
};
struct CollisionElement {
    CollisionElement(const CellIndexElement &element) : m_type(CollisionElementType::CellIndex) {
        m_element.m_CellIndexElement = element;
    }
    CollisionElement(const PointDirectionElement &element) : m_type(CollisionElementType::PointDirection) {
        m_element.m_PointDirectionElement = element;
    }
    CollisionElement(const PointIndexDirectionElement &element) : m_type(CollisionElementType::PointIndexDirection) {
        m_element.m_PointIndexDirectionElement = element;
    }
    struct {
        CellIndexElement m_CellIndexElement;
        PointDirectionElement m_PointDirectionElement;
        PointIndexDirectionElement m_PointIndexDirectionElement;
    } m_element;
    CollisionElementType m_type;
    bool m_ccdData = false;
};
class CollisionData {
public:
    std::vector<CollisionElement> elementsA, elementsB;
};

class CollisionDetectionAlgorithm {
public:
    virtual ~CollisionDetectionAlgorithm() = default;
    virtual const std::string getTypeName() const = 0;
    void setInputGeometryA(std::shared_ptr<Geometry> geometry) { inputs_[0] = std::move(geometry); }
    void setInputGeometryB(std::shared_ptr<Geometry> geometry) { inputs_[1] = std::move(geometry); }
    void update() {
        data_->elementsA.clear();
        data_->elementsB.clear();
        computeCollisionDataAB(inputs_[0], inputs_[1], data_->elementsA, data_->elementsB);
    }
    std::shared_ptr<CollisionData> getCollisionData() const { return data_; }

protected:
    template <class T> void setRequiredInputType(size_t) {}
    virtual void computeCollisionDataAB(std::shared_ptr<Geometry> a, std::shared_ptr<Geometry> b,
                                        std::vector<CollisionElement> &elementsA,
                                        std::vector<CollisionElement> &elementsB) = 0;

private:
    std::shared_ptr<Geometry> inputs_[2];
    std::shared_ptr<CollisionData> data_ = std::make_shared<CollisionData>();
};

} // namespace imstk

#endif
