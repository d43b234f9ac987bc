//! A haptic tool, and its coupling to a device.

use crate::handle::{Guarded, boxed, enter, free, objects};
use crate::input::{Out, options_struct};
use crate::scene::palpate_scene;
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{palpate_geometry_id, palpate_pose};
use crate::wall::call;
use palpate::haptics::{Coupling, CouplingOptions, Proxy, ProxyOptions, Tick};

/// A tool that follows a target and stays outside of what its pairs are with. One call at a time; the scene belongs to the haptic
/// loop.
pub struct palpate_proxy(Guarded<Tool>);

/// The proxy, and the coupling to its device.
pub(crate) struct Tool {
    proxy: Proxy,
    coupling: Coupling,
    last: Option<Tick>,
}

objects! { palpate_proxy: Tool; }

/// Options of a proxy and of its coupling.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_proxy_options {
    /// Set by `palpate_proxy_options_default`.
    pub struct_size: u32,
    /// The greatest number of steps in a tick; 8 by default.
    pub steps: u32,
    /// Metres: the greatest motion of a point of the tool between two detections; the margin of its pairs must be at least as
    /// large. 0.002 by default.
    pub reach: f64,
    /// Newtons per metre; 500 by default.
    pub stiffness: f64,
    /// Newton seconds per metre; 0.2 by default.
    pub damping: f64,
    /// Newton metres per radian; 0 by default, for a device without torques.
    pub angular_stiffness: f64,
    /// Newtons: a greater force is cut to this; 5 by default.
    pub force_limit: f64,
    /// Newton metres: a greater torque is cut to this; 0.1 by default.
    pub torque_limit: f64,
}

impl Default for palpate_proxy_options {
    fn default() -> Self {
        let (ProxyOptions { reach, steps }, coupling) = (ProxyOptions::default(), CouplingOptions::default());
        Self {
            struct_size: size_of::<Self>() as u32,
            steps: steps as u32,
            reach,
            stiffness: coupling.stiffness,
            damping: coupling.damping,
            angular_stiffness: coupling.angular_stiffness,
            force_limit: coupling.force_limit,
            torque_limit: coupling.torque_limit,
        }
    }
}

options_struct! { palpate_proxy_options 56; }

/// The default options of a proxy.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_proxy_options_default() -> palpate_proxy_options {
    palpate_proxy_options::default()
}

/// What a tick came to.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_tick {
    /// The pose of the tool at the end of the tick.
    pub pose: palpate_pose,
    /// How far obstacles that moved have pushed the tool's origin, metres.
    pub pushed: [f64; 3],
    /// Contacts of the tool within the margin.
    pub contacts: usize,
    /// Detections.
    pub detections: usize,
    /// 1 if the tool is outside of everything; 0 only if obstacles have closed on it.
    pub is_outside: u32,
    /// 0.
    pub reserved: u32,
}

/// Force and torque on the device, world frame.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_wrench {
    /// Newtons.
    pub force: [f64; 3],
    /// Newton metres, about the device's origin.
    pub torque: [f64; 3],
}

/// Makes a proxy for a geometry at its present pose, which has to be outside of the obstacles. `options` may be null. Free it with
/// `palpate_proxy_free`. Errors: a tool without pairs, or with a pair whose margin is below the reach.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_proxy_new(
    scene: *mut palpate_scene,
    tool: palpate_geometry_id,
    options: *const palpate_proxy_options,
    proxy: *mut *mut palpate_proxy,
) -> palpate_status {
    call(|| {
        let out = Out::new(proxy, "the place for the proxy")?;
        out.put(std::ptr::null_mut());
        // SAFETY: by the rules of the header.
        let (scene, given) = unsafe { (enter(scene, "the scene")?, crate::input::options(options)?) };
        let coupling = Coupling::new(CouplingOptions {
            stiffness: given.stiffness,
            damping: given.damping,
            angular_stiffness: given.angular_stiffness,
            force_limit: given.force_limit,
            torque_limit: given.torque_limit,
        })?;
        let options = ProxyOptions { reach: given.reach, steps: given.steps as usize };
        let proxy = Proxy::new(&scene.scene, scene.geometry(tool)?, options)?;
        out.put(boxed(palpate_proxy(Guarded::new("proxy", Tool { proxy, coupling, last: None }))));
        Ok(())
    })
}

/// Frees a proxy. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_proxy_free(proxy: *mut palpate_proxy) -> palpate_status {
    // SAFETY: by the rules of the header.
    call(|| unsafe { free(proxy) })
}

/// Moves the tool toward `target` as far as it gets without entering an obstacle, and writes what that came to. Steps the scene some
/// times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_proxy_follow(
    proxy: *mut palpate_proxy,
    scene: *mut palpate_scene,
    target: *const palpate_pose,
    tick: *mut palpate_tick,
) -> palpate_status {
    call(|| {
        let out = Out::new(tick, "tick")?;
        // SAFETY: by the rules of the header.
        let (mut tool, mut scene) = unsafe { (enter(proxy, "the proxy")?, enter(scene, "the scene")?) };
        // SAFETY: by the rules of the header.
        let target = unsafe { target.as_ref() }.ok_or_else(|| Failure::null("target"))?.checked()?;
        let Tool { proxy, last, .. } = &mut *tool;
        let follow = |state: &mut crate::scene::State| Ok(proxy.follow(&mut state.scene, &target)?);
        let done: Outcome<Tick> = scene.run(follow, |state| state.scene.abandon_step());
        let done = done?;
        *last = Some(done);
        out.put(palpate_tick {
            pose: palpate_pose::of(&done.pose),
            pushed: done.pushed,
            contacts: done.contacts,
            detections: done.detections,
            is_outside: u32::from(done.is_outside),
            reserved: 0,
        });
        Ok(())
    })
}

/// Writes the force on the device at a pose after the last tick, `step` seconds after the one before: a spring and a damper that
/// return no more energy than they received.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_proxy_wrench(
    proxy: *mut palpate_proxy,
    device: *const palpate_pose,
    step: f64,
    wrench: *mut palpate_wrench,
) -> palpate_status {
    call(|| {
        let out = Out::new(wrench, "wrench")?;
        // SAFETY: by the rules of the header.
        let mut tool = unsafe { enter(proxy, "the proxy") }?;
        // SAFETY: by the rules of the header.
        let device = unsafe { device.as_ref() }.ok_or_else(|| Failure::null("device"))?.checked()?;
        let last =
            tool.last.ok_or_else(|| Failure::argument("no tick yet: wanted palpate_proxy_follow before"))?;
        let found = tool.coupling.wrench(&device, &last, step);
        out.put(palpate_wrench { force: found.force.into(), torque: found.torque.into() });
        Ok(())
    })
}
