"""A tool that stays outside, its force, and tissue that another thread deforms."""

import threading

import numpy as np
import pytest

import palpate
from palpate import haptics

PYRAMID = np.array([[-0.1, 0, -0.1], [0.1, 0, -0.1], [0, 0, 0.1], [0, -0.1, 0]])
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]


def test_energy_that_was_never_given_is_not_returned():
    scene = palpate.Scene()
    tool = scene.add("tool", palpate.sphere([0, 0.0031, 0], 0.003))
    scene.add_pair(tool, scene.add("floor", palpate.plane([0, 0, 0], [0, 1, 0])), margin=0.002)
    proxy, coupling, pushed = haptics.Proxy(scene, tool), haptics.Coupling(damping=0.0), 0
    for tick in range(200):
        depth = 5e-5 * min(tick, 200 - tick)
        device = [0, 0.003 - depth, 0, 1, 0, 0, 0]
        at = proxy.follow(device)
        force, torque = coupling.wrench(device, at, 1e-3)
        assert at.is_outside and at.detections >= 1 and not torque.any()
        pushed += force[1] > 1
    energy = coupling.energy
    assert pushed > 100 and 0 < energy.to_device <= energy.from_device + energy.from_obstacles
    assert energy.from_device == pytest.approx(0.5 * 500 * 0.005**2, rel=0.05)


def test_a_proxy_rests_on_tissue_that_another_thread_lifts():
    scene = palpate.Scene()
    organ = scene.add("organ", palpate.surface_mesh(PYRAMID, FACES))
    reader = haptics.geometry_reader(scene, [organ])
    heights, failed = [], []

    def loop():
        try:
            local = palpate.Scene()
            tool = local.add("tool", palpate.sphere([0, 0.02, 0], 0.003))
            (shared,) = haptics.add_shared(local, reader)
            local.add_pair(tool, shared, margin=0.002)
            proxy, at_rest = haptics.Proxy(local, tool), 0
            while at_rest < 100:
                haptics.update_shared(local)
                tick = proxy.follow([0, -0.01, 0, 1, 0, 0, 0])
                assert not haptics.shared_changes(local)
                at_rest += haptics.shared_step(local, shared) == 20
            heights.append(tick.pose[1])
            with pytest.raises(palpate.Error):
                local.set_vertices(shared, PYRAMID)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=loop)
    thread.start()
    for step in range(1, 21):
        scene.set_vertices(organ, PYRAMID + [0, 5e-4 * step, 0])
        scene.step()
    thread.join(timeout=60)
    assert not failed and heights[0] == pytest.approx(0.013, abs=1e-4)


def test_a_cut_of_shared_tissue_is_noticed_and_errors_are_of_palpate():
    scene, local = palpate.Scene(), palpate.Scene()
    organ = scene.add("organ", palpate.surface_mesh(PYRAMID, FACES))
    tool = local.add("tool", palpate.sphere([0, 0.02, 0], 0.003))
    with pytest.raises(palpate.InvalidArgumentError):
        haptics.Proxy(local, tool)
    (shared,) = haptics.add_shared(local, haptics.geometry_reader(scene, [organ]))
    scene.remove_cells(organ, [0])
    scene.step()
    assert haptics.update_shared(local) and haptics.shared_changes(local) == [(shared, True, False)]
    assert haptics.shared_step(local, tool) is None
    local.add_pair(tool, shared, margin=0.001)
    with pytest.raises(palpate.InvalidArgumentError, match="reach"):
        haptics.Proxy(local, tool)
    with pytest.raises(palpate.InvalidArgumentError, match="damping"):
        haptics.Coupling(damping=-1)
    with pytest.raises(palpate.Error):
        haptics.add_shared(local, haptics.geometry_reader(scene, [organ]))
