/* The cases of cases.c through palpate.hpp: cases IN OUT. Builds with and without exceptions. */
#include <palpate.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#ifdef PALPATE_NO_EXCEPTIONS
template <class T> T value(palpate::Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", palpate_last_error());
        std::exit(1);
    }
    return std::move(*result);
}
inline void value(palpate::Result<void> result) {
    if (!result) std::exit(1);
}
#else
template <class T> T value(T result) { return result; }
#endif

namespace {
using palpate::Geometry;
using palpate::Vec3;

std::ifstream in;

double number() {
    std::string word;
    in >> word;
    uint64_t bits = std::strtoull(word.c_str(), nullptr, 16);
    double found;
    std::memcpy(&found, &bits, sizeof found);
    return found;
}

size_t whole() {
    size_t found = 0;
    in >> found;
    return found;
}

Vec3 vec3() {
    Vec3 found;
    found.x = number();
    found.y = number();
    found.z = number();
    return found;
}

palpate::Pose pose() {
    palpate::Pose found(vec3());
    for (double &part : found.rotation) part = number();
    return found;
}

std::vector<double> vertices() {
    std::vector<double> found(3 * whole());
    for (double &coordinate : found) coordinate = number();
    return found;
}

Geometry mesh() {
    uint32_t kind = uint32_t(whole());
    std::vector<double> points = vertices();
    std::vector<uint32_t> ids;
    if (kind != PALPATE_POINT_SET) {
        ids.resize(whole() * (kind + 1));
        for (uint32_t &id : ids) id = uint32_t(whole());
    }
    palpate_mesh_options options = palpate_mesh_options_default();
    options.radius = number();
    if (kind == PALPATE_POINT_SET) return value(Geometry::point_set(palpate::points(points), options.radius));
    return value(Geometry::mesh(kind, palpate::points(points), palpate::cells(ids, kind + 1), options));
}

Geometry geometry();

Geometry compound(size_t count) {
    if (count == 1) return value(Geometry::compound(geometry()));
    Geometry first = geometry();
    Geometry second = geometry();
    return value(Geometry::compound(std::move(first), std::move(second)));
}

Geometry geometry() {
    std::string name;
    in >> name;
    if (name == "sphere") {
        Vec3 center = vec3();
        return value(Geometry::sphere(center, number()));
    }
    if (name == "plane") {
        Vec3 position = vec3(), normal = vec3();
        return value(Geometry::plane(position, normal, whole() == 1));
    }
    if (name == "mesh") return mesh();
    if (name == "compound") return compound(whole());
    palpate::Pose at = pose();
    if (name == "convex") {
        std::vector<double> corners = vertices();
        return value(Geometry::convex(at, palpate::points(corners), number()));
    }
    if (name == "implicit") {
        double scale = number();
        std::string json;
        in >> json;
        palpate::Function function = value(palpate::Function::json(json.c_str()));
        return value(Geometry::implicit(at, function, scale));
    }
    Vec3 sizes = vec3();
    if (name == "capsule") return value(Geometry::capsule(at, sizes.x, sizes.y));
    if (name == "cylinder") return value(Geometry::cylinder(at, sizes.x, sizes.y));
    if (name == "cone") return value(Geometry::cone(at, sizes.x, sizes.y));
    if (name == "box") return value(Geometry::box(at, sizes));
    return value(Geometry::ellipsoid(at, sizes));
}

void answer(std::ofstream &out) {
    std::string detector, settings;
    in >> detector;
    palpate_pair_options options = palpate_pair_options_default();
    options.margin = number();
    in >> settings;
    options.detector = detector == "-" ? nullptr : detector.c_str();
    options.settings_json = settings == "-" ? nullptr : settings.c_str();
    palpate::Scene scene = value(palpate::Scene::create());
    palpate::GeometryId a = value(scene.add("a", geometry()));
    palpate::GeometryId b = value(scene.add("b", geometry()));
    palpate::PairId pair = value(scene.add_pair(a, b, options));
    value(scene.step());
    palpate::Span<const palpate::Contact> contacts = value(scene.contacts(pair));
    uint64_t count = contacts.size();
    out.write(reinterpret_cast<const char *>(&count), sizeof count);
    out.write(reinterpret_cast<const char *>(contacts.data()), std::streamsize(count * sizeof(palpate::Contact)));
}

int run(char **argv) {
    in.open(argv[1]);
    std::ofstream out(argv[2], std::ios::binary);
    for (size_t count = whole(); count > 0; count--) answer(out);
    return in && out.flush() ? 0 : 1;
}
} // namespace

int main(int argc, char **argv) {
    if (argc != 3 || PALPATE_CHECK_ABI() != PALPATE_OK) return 2;
#ifdef PALPATE_NO_EXCEPTIONS
    return run(argv);
#else
    try {
        return run(argv);
    } catch (const palpate::Error &error) {
        std::cerr << palpate_status_name(error.status()) << ": " << error.what() << "\n";
        return 1;
    }
#endif
}
