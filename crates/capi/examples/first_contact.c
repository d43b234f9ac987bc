/* A ball rests on a floor: the contact of a sphere and a plane. */
#include <palpate.h>
#include <stdio.h>

static int failed(void) {
    fprintf(stderr, "%s\n", palpate_last_error());
    return 1;
}

int main(void) {
    const double center[3] = {0, 0.75, 0}, origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    palpate_scene *scene = NULL;
    palpate_geometry *shape = NULL;
    palpate_geometry_id ball, floor;
    palpate_pair_id pair;
    const palpate_contact *contacts;
    size_t count;

    if (palpate_scene_new(NULL, &scene) != PALPATE_OK) return failed();
    if (palpate_geometry_sphere(center, 1.0, &shape) != PALPATE_OK) return failed();
    if (palpate_scene_add(scene, "ball", shape, NULL, &ball) != PALPATE_OK) return failed();
    if (palpate_geometry_plane(origin, up, 0, &shape) != PALPATE_OK) return failed();
    if (palpate_scene_add(scene, "floor", shape, NULL, &floor) != PALPATE_OK) return failed();
    if (palpate_scene_add_pair(scene, ball, floor, NULL, &pair) != PALPATE_OK) return failed();

    if (palpate_scene_step(scene, NULL) != PALPATE_OK) return failed();
    if (palpate_scene_contacts(scene, pair, &contacts, &count) != PALPATE_OK) return failed();
    for (size_t k = 0; k < count; k++) {
        const double *out = contacts[k].direction;
        printf("%.3f m, way out %.1f %.1f %.1f\n", contacts[k].depth, out[0], out[1], out[2]);
    }
    palpate_scene_free(scene);
    return 0;
}
