/* The adapters, with stand-in headers, on cases whose elements a reader can name. */
#include "../../examples/adapters/imstk_adapter.hpp"
#include "../../examples/adapters/sofa_adapter.hpp"

#include <cmath>
#include <cstdio>

namespace {
int wrong = 0;
#define WANT(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "line %d\n", __LINE__);                                                               \
            wrong++;                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The corner of a cube of ten centimetres. */
std::shared_ptr<imstk::SurfaceMesh> wedge() {
    auto mesh = std::make_shared<imstk::SurfaceMesh>();
    mesh->positions = std::make_shared<imstk::VecDataArray<double, 3>>(
        std::vector<std::array<double, 3>>{{{0, 0, 0}}, {{0.1, 0, 0}}, {{0, 0.1, 0}}, {{0, 0, 0.1}}});
    mesh->indices = std::make_shared<imstk::VecDataArray<int, 3>>(
        std::vector<std::array<int, 3>>{{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}});
    return mesh;
}

void shape_against_shape() {
    auto plane = std::make_shared<imstk::Plane>();
    auto ball = std::make_shared<imstk::Sphere>();
    ball->position = imstk::Vec3d(0, 0.75, 0);
    palpate::ImstkCD detection("UnidirectionalPlaneToSphereCD");
    detection.setInputGeometryA(plane);
    detection.setInputGeometryB(ball);
    detection.update();
    auto data = detection.getCollisionData();
    WANT(detection.getTypeName() == "UnidirectionalPlaneToSphereCD" && data->elementsA.size() == 1);
    const imstk::CollisionElement &side = data->elementsB[0];
    WANT(side.m_type == imstk::CollisionElementType::PointDirection);
    WANT(side.m_element.m_PointDirectionElement.dir[1] == 1);
    WANT(side.m_element.m_PointDirectionElement.penetrationDepth == 0.25);
    ball->position = imstk::Vec3d(0, 2, 0);
    detection.update();
    WANT(data->elementsA.empty() && data->elementsB.empty());
}

void mesh_against_shape() {
    auto mesh = wedge();
    auto ball = std::make_shared<imstk::Sphere>();
    ball->position = imstk::Vec3d(0.04, 0.04, 0.04);
    ball->radius = 0.02;
    palpate::ImstkCD detection("SurfaceMeshToSphereCD");
    detection.setInputGeometryA(mesh);
    detection.setInputGeometryB(ball);
    detection.update();
    auto data = detection.getCollisionData();
    WANT(data->elementsA.size() == 1 && data->elementsB.size() == 1);
    WANT(data->elementsA[0].m_type == imstk::CollisionElementType::CellIndex);
    const imstk::CellIndexElement &cell = data->elementsA[0].m_element.m_CellIndexElement;
    WANT(cell.idCount == 3 && cell.parentId == 3 && cell.ids[0] == 1 && cell.cellType == IMSTK_TRIANGLE);
    double depth = data->elementsB[0].m_element.m_PointDirectionElement.penetrationDepth;
    WANT(std::abs(depth - (0.02 - 0.02 / std::sqrt(3.0))) < 1e-15);
}

void sofa_narrow_phase() {
    const std::vector<double> positions = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
    const std::vector<uint32_t> triangles = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sofa::core::CollisionModel organ, tool;
    palpate::SofaNarrowPhase narrow(0.002, 0.001);
    narrow.set(&organ, positions, triangles);
    narrow.set(&tool, palpate::Vec3{0.04, 0.04, 0.04}, 0.02);
    narrow.add(&tool, &organ);
    narrow.add(&tool, &organ);
    narrow.step();
    std::vector<sofa::core::collision::DetectionOutput> outputs;
    narrow.output(&tool, &organ, outputs);
    WANT(outputs.size() == 1);
    if (outputs.empty()) return;
    const sofa::core::collision::DetectionOutput &contact = outputs[0];
    WANT(contact.elem.second.getIndex() == 3 && contact.elem.second.getCollisionModel() == &organ);
    // Out of the tool, into the organ.
    WANT(std::abs(contact.normal[0] + 1 / std::sqrt(3.0)) < 1e-15);
    WANT(std::abs(contact.value + 0.02 - 0.02 / std::sqrt(3.0) + 0.001) < 1e-15);
    narrow.set(&tool, palpate::Vec3{0.5, 0.5, 0.5}, 0.02);
    narrow.step();
    narrow.output(&tool, &organ, outputs);
    WANT(outputs.empty());
}
} // namespace

int main() {
    shape_against_shape();
    mesh_against_shape();
    sofa_narrow_phase();
    return wrong != 0;
}
