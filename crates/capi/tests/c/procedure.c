/* Needle and thread, blade, cautery, jaws, a tube in a tube and sliding constraints by the numbers of a file: procedure IN OUT. Numbers
 * are the bits of doubles in hexadecimal; what is found goes out as 64-bit numbers. Also compiled as C++, by procedure.cpp. */
#include <palpate.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

static FILE *in, *out;

static void check(palpate_status status, const char *what) {
    if (status != PALPATE_OK) {
        fprintf(stderr, "%s: %s\n", what, palpate_last_error());
        exit(1);
    }
}

static void put(uint64_t value) { fwrite(&value, sizeof value, 1, out); }

static void put_numbers(const double *values, size_t count) { fwrite(values, sizeof *values, count, out); }

static void put_ids(const uint32_t *ids, size_t count) {
    size_t k;
    for (k = 0; k < count; k++)
        put(ids[k]);
}

static double number(void) {
    uint64_t bits = 0;
    double value;
    if (fscanf(in, "%" SCNx64, &bits) != 1)
        exit(2);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t whole(void) {
    uint32_t value = 0;
    if (fscanf(in, "%" SCNu32, &value) != 1)
        exit(2);
    return value;
}

/* Points in memory of their own, one array for each place. */
static palpate_points points(double *to) {
    palpate_points made;
    size_t k;
    memset(&made, 0, sizeof made);
    made.count = whole();
    if (made.count > MOST)
        exit(2);
    for (k = 0; k < 3 * made.count; k++)
        to[k] = number();
    made.data = to;
    return made;
}

static double room[4][3 * MOST];
static uint32_t ids[4 * MOST];

static palpate_geometry_id mesh(palpate_scene *scene, const char *name, uint32_t kind) {
    palpate_points vertices = points(room[0]);
    palpate_cells cells;
    palpate_geometry *made;
    palpate_geometry_id id;
    size_t k;
    memset(&cells, 0, sizeof cells);
    cells.count = whole();
    if (cells.count > MOST)
        exit(2);
    for (k = 0; k < cells.count * (kind + 1); k++)
        ids[k] = whole();
    cells.data = ids;
    check(palpate_geometry_mesh(kind, &vertices, &cells, NULL, &made), name);
    check(palpate_scene_add(scene, name, made, NULL, &id), name);
    return id;
}

static void put_place(const palpate_shaft_place *place) {
    put(place->section);
    put(place->segment);
    put_numbers(&place->weight, 2);
}

static void put_tracker(palpate_shaft_tracker *tracker) {
    const palpate_shaft_crossing *crossings;
    const palpate_shaft_stay *path;
    const palpate_shaft_event *events;
    palpate_shaft_tip tip;
    size_t count, k;
    uint32_t is_through;
    check(palpate_shaft_tracker_crossings(tracker, &crossings, &count), "crossings");
    put(count);
    for (k = 0; k < count; k++) {
        put(crossings[k].id);
        put(crossings[k].passing);
        put(crossings[k].triangle);
        put_ids(crossings[k].vertices, 3);
        put_numbers(crossings[k].weights, 3);
        put_place(&crossings[k].place);
        put_numbers(crossings[k].point, 3);
        put_numbers(&crossings[k].cosine, 1);
    }
    check(palpate_shaft_tracker_path(tracker, &path, &count), "path");
    put(count);
    for (k = 0; k < count; k++) {
        put(path[k].cell);
        put_place(&path[k].first);
        put_place(&path[k].last);
        put_numbers(path[k].weights[0], 8);
    }
    check(palpate_shaft_tracker_events(tracker, &events, &count), "events");
    put(count);
    for (k = 0; k < count; k++) {
        put(events[k].kind);
        put(events[k].id);
        put(events[k].is_allowed);
        put_ids(events[k].changed, 2);
    }
    check(palpate_shaft_tracker_tip(tracker, &tip), "tip");
    put_numbers(&tip.depth, 2);
    put(tip.is_inside);
    put(tip.cell);
    put(tip.is_near);
    if (tip.is_near) {
        put_numbers(&tip.distance, 2);
        put_ids(tip.feature.vertices, tip.feature.vertex_count);
        put_numbers(tip.feature.point, 3);
        check(palpate_shaft_tracker_allow(tracker), "allow");
    }
    for (k = 0; k < 3; k++) {
        check(palpate_shaft_tracker_is_let_through(tracker, 1, (uint32_t)k, 0.5, 0.05, &is_through), "let through");
        put(is_through);
    }
}

static void needle(palpate_scene *scene, palpate_geometry_id tissue) {
    palpate_shaft_tracker *tracker;
    palpate_points sections[2], vertices;
    double touch = number();
    uint32_t steps = whole();
    check(palpate_shaft_tracker_new(touch, 0, &tracker), "tracker");
    for (; steps > 0; steps--) {
        vertices = points(room[0]);
        check(palpate_scene_set_vertices(scene, tissue, &vertices), "vertices");
        sections[0] = points(room[1]);
        sections[1] = points(room[2]);
        check(palpate_shaft_tracker_update(tracker, scene, tissue, sections, 2), "update");
        put_tracker(tracker);
    }
    check(palpate_shaft_tracker_free(tracker), "free");
}

static void put_division(const palpate_division *made) {
    size_t k;
    put(made->cut_count);
    for (k = 0; k < made->cut_count; k++) {
        put_ids(made->cuts[k].edge, 2);
        put_numbers(&made->cuts[k].weight, 2);
    }
    put(made->first_vertex);
    put(made->vertex_count);
    for (k = 0; k < made->vertex_count; k++) {
        put_ids(made->vertices[k].of, 2);
        put_numbers(made->vertices[k].weights, 2);
    }
    put(made->removed_count);
    put_ids(made->removed, made->removed_count);
    put(made->first_cell);
    put(made->cell_count);
    put_ids(made->parents, made->cell_count);
}

static void blade(palpate_scene *scene, palpate_geometry_id mesh) {
    palpate_blade_options options = palpate_blade_options_default();
    palpate_blade *blade;
    palpate_division division;
    const palpate_swept_cell *swept;
    const uint32_t *front, *removed;
    double center[3], radius;
    uint32_t sweeps;
    size_t count, k;
    options.snap = number();
    sweeps = whole();
    check(palpate_blade_new(&options, &blade), "blade");
    for (; sweeps > 0; sweeps--) {
        palpate_points before = points(room[0]), now = points(room[1]);
        check(palpate_scene_swept_cells(scene, mesh, &before, &now, &swept, &count), "swept");
        put(count);
        for (k = 0; k < count; k++) {
            put(swept[k].cell);
            put_numbers(swept[k].times, 2);
        }
        check(palpate_blade_cut(blade, scene, mesh, &before, &now, &division), "cut");
        put_division(&division);
        check(palpate_blade_front(blade, &front, &count), "front");
        put(count);
        put_ids(front, count);
    }
    check(palpate_blade_lift(blade), "lift");
    check(palpate_blade_front(blade, &front, &count), "front");
    put(count);
    check(palpate_blade_free(blade), "free");
    for (k = 0; k < 3; k++)
        center[k] = number();
    radius = number();
    check(palpate_scene_cauterize(scene, mesh, center, radius, &removed, &count), "cauterize");
    put(count);
    put_ids(removed, count);
}

static void jaws(palpate_scene *scene, palpate_geometry_id tissue) {
    palpate_geometry_id jaw[2];
    palpate_pair_id pairs[2];
    palpate_grasp_tracker *tracker;
    const palpate_contact *contacts[2];
    size_t counts[2];
    palpate_grasp grasp;
    uint32_t steps = whole(), k;
    check(palpate_grasp_tracker_new(&tracker), "grasp");
    for (k = 0; k < 2; k++) {
        palpate_geometry *made;
        double center[3] = {0, 9, 0};
        check(palpate_geometry_sphere(center, number(), &made), "jaw");
        check(palpate_scene_add(scene, k ? "second" : "first", made, NULL, &jaw[k]), "jaw");
        check(palpate_scene_add_pair(scene, jaw[k], tissue, NULL, &pairs[k]), "pair");
    }
    for (; steps > 0; steps--) {
        for (k = 0; k < 2; k++) {
            palpate_pose pose = {{0, 0, 0}, {1, 0, 0, 0}};
            pose.position[0] = number(), pose.position[1] = number(), pose.position[2] = number();
            check(palpate_scene_set_pose(scene, jaw[k], &pose), "pose");
        }
        check(palpate_scene_step(scene, NULL), "step");
        for (k = 0; k < 2; k++)
            check(palpate_scene_contacts(scene, pairs[k], &contacts[k], &counts[k]), "contacts");
        check(palpate_grasp_tracker_update(tracker, scene, tissue, contacts[0], counts[0], contacts[1], counts[1], 0.5,
                                           &grasp),
              "update");
        put(grasp.id);
        put_numbers(&grasp.closure, 1);
        put_numbers(grasp.areas, 2);
        put(grasp.first_triangle_count);
        put_ids(grasp.first_triangles, grasp.first_triangle_count);
        put(grasp.second_triangle_count);
        put_ids(grasp.second_triangles, grasp.second_triangle_count);
        put(grasp.cell_count);
        put_ids(grasp.cells, grasp.cell_count);
        put(grasp.pair_count);
        put_ids(grasp.pairs, 2 * grasp.pair_count);
    }
    check(palpate_grasp_tracker_free(tracker), "free");
}

static void tube(palpate_scene *scene) {
    palpate_geometry_id vessel = mesh(scene, "vessel", PALPATE_SURFACE_MESH);
    palpate_lumen_options options = palpate_lumen_options_default();
    palpate_points branches[2], wire;
    palpate_lumen *lumen;
    const palpate_lumen_contact *found;
    size_t count, k;
    branches[0] = points(room[0]);
    branches[1] = points(room[1]);
    check(palpate_lumen_new(branches, 2, &lumen), "lumen");
    wire = points(room[2]);
    options.radius = number(), options.margin = number(), options.reach = number();
    check(palpate_lumen_contacts(lumen, scene, vessel, &wire, 1, &options, &found, &count), "contacts");
    put(count);
    for (k = 0; k < count; k++) {
        put_place(&found[k].place);
        put(found[k].triangle);
        put(found[k].branch);
        put_numbers(found[k].weights, 3);
        put_numbers(found[k].point, 3);
        put_numbers(found[k].direction, 3);
        put_numbers(&found[k].depth, 1);
        put_place(&found[k].branch_place);
    }
    check(palpate_lumen_free(lumen), "free");
}

/* Five particles: three of tissue, two ends of a thread; then a rigid needle in the place of the thread. */
static void sliding(void) {
    double masses[5] = {1, 1, 1, 2, 2};
    palpate_points now = points(room[0]), before = points(room[1]);
    palpate_pbd_state state = palpate_pbd_state_default();
    palpate_sliding own[2];
    palpate_rigid_body body;
    uint32_t k;
    memset(&body, 0, sizeof body);
    body.pose.rotation[0] = body.previous.rotation[0] = 1;
    body.inverse_mass = 2;
    body.inverse_inertia[0] = body.inverse_inertia[1] = body.inverse_inertia[2] = 30;
    state.particle_count = now.count;
    state.particles = room[0];
    state.previous = (const double *)before.data;
    state.inverse_masses = masses;
    state.body_count = 1;
    state.bodies = &body;
    for (k = 0; k < 2; k++) {
        own[k] = palpate_sliding_default();
        own[k].tissue[1] = 1, own[k].tissue[2] = 2;
        own[k].weights[0] = 0.5, own[k].weights[1] = own[k].weights[2] = 0.25;
        own[k].weight = 0.375;
        own[k].friction = 0.3, own[k].grip = 0.1, own[k].compliance = 1e-5;
        own[k].particles[0] = 3, own[k].particles[1] = 4;
    }
    own[1].is_rigid = 1;
    own[1].ends[0][1] = -0.5, own[1].ends[1][1] = 0.5;
    check(palpate_sliding_project(own, 2, &state, 0.01, 5), "slidings");
    check(palpate_sliding_project(own, 2, &state, 0.01, 4), "slidings");
    put_numbers(room[0], 15);
    put_numbers(body.pose.position, 7);
    for (k = 0; k < 2; k++)
        put_numbers(own[k].across, 10);
}

int main(int argc, char **argv) {
    palpate_scene *scene;
    palpate_geometry_id tissue;
    in = argc == 3 ? fopen(argv[1], "rb") : NULL;
    out = argc == 3 ? fopen(argv[2], "wb") : NULL;
    if (!in || !out || PALPATE_CHECK_ABI() != PALPATE_OK)
        return 2;
    check(palpate_scene_new(NULL, &scene), "scene");
    tissue = mesh(scene, "tissue", PALPATE_TETRA_MESH);
    needle(scene, tissue);
    jaws(scene, tissue);
    blade(scene, tissue);
    tube(scene);
    sliding();
    check(palpate_scene_free(scene), "free");
    fclose(in);
    return fclose(out);
}
