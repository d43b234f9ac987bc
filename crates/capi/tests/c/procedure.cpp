/* procedure.c as C++, with the owners of palpate.hpp. */
#include <palpate.hpp>

#define main procedure
#include "procedure.c"
#undef main

int main(int argc, char **argv) {
    palpate_blade *blade = nullptr;
    palpate_shaft_tracker *tracker = nullptr;
    palpate_grasp_tracker *grasp = nullptr;
    palpate_lumen *lumen = nullptr;
    palpate_guard *guard = nullptr;
    check(palpate_blade_new(nullptr, &blade), "blade");
    check(palpate_shaft_tracker_new(0.01, 0, &tracker), "tracker");
    check(palpate_grasp_tracker_new(&grasp), "grasp");
    check(palpate_lumen_new(nullptr, 0, &lumen), "lumen");
    check(palpate_guard_new(&guard), "guard");
    palpate::Blade owned(blade);
    palpate::ShaftTracker followed(tracker);
    palpate::GraspTracker held(grasp);
    palpate::Lumen lined(lumen);
    palpate::Guard kept(guard);
    return owned && followed && held && lined && kept ? procedure(argc, argv) : 3;
}
