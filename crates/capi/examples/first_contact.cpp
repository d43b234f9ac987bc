// A ball rests on a floor: the contact of a sphere and a plane.
#include <palpate.hpp>
#include <cstdio>

int main() try {
    palpate::Scene scene;
    auto ball = scene.add("ball", palpate::Geometry::sphere({0, 0.75, 0}, 1.0));
    auto floor = scene.add("floor", palpate::Geometry::plane({0, 0, 0}, {0, 1, 0}));
    auto pair = scene.add_pair(ball, floor);

    scene.step();
    for (const palpate::Contact &contact : scene.contacts(pair)) {
        const double *out = contact.direction; // moves the ball out of the floor
        std::printf("%.3f m, way out %.1f %.1f %.1f\n", contact.depth, out[0], out[1], out[2]);
    }
} catch (const palpate::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
