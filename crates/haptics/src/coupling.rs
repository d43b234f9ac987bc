//! Virtual coupling: a spring and a damper between the device and the proxy, with an account of the energy.

use crate::twist::Twist;
use crate::{HapticError, Tick};
use palpate_geometry::Pose;
use palpate_math::Vector;

/// Options of a coupling.
///
/// The account of the energy holds for the poses at the ticks. Between them the device holds the force, and gains up to half
/// the stiffness times the square of its motion: a real device stays passive if its own damping is above half of `stiffness *
/// step + 2 * damping` (J. E. Colgate, G. G. Schenkel, "Passivity of a class of sampled-data systems", 1997).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct CouplingOptions {
    /// Newtons per metre.
    pub stiffness: f64,
    /// Newton seconds per metre, of the motion of the device relative to the proxy.
    pub damping: f64,
    /// Newton metres per radian; 0 for a device without torques.
    pub angular_stiffness: f64,
    /// Newtons: a greater force is cut to this.
    pub force_limit: f64,
    /// Newton metres: a greater torque is cut to this.
    pub torque_limit: f64,
}

impl Default for CouplingOptions {
    /// 500 N/m, 0.2 N s/m, no torque, at most 5 N: within what a desktop device can show at 1 kHz.
    fn default() -> Self {
        Self { stiffness: 500.0, damping: 0.2, angular_stiffness: 0.0, force_limit: 5.0, torque_limit: 0.1 }
    }
}

/// Force and torque on the device, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Newtons.
    pub force: Vector,
    /// Newton metres, about the device's origin.
    pub torque: Vector,
}

/// Energies since the coupling was made, in joules; all of them grow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Put in by the device: it moved against the force.
    pub from_device: f64,
    /// Put in by obstacles that pushed the proxy away from the device.
    pub from_obstacles: f64,
    /// Returned to the device: at most the sum of the two.
    pub to_device: f64,
}

impl Energy {
    /// What may still be returned.
    pub fn left(&self) -> f64 {
        self.from_device + self.from_obstacles - self.to_device
    }
}

/// A spring and a damper between the device and the proxy. It returns no more energy than it received: a force that would is
/// reduced.
#[derive(Clone, Debug)]
pub struct Coupling {
    options: CouplingOptions,
    last: Option<Last>,
    energy: Energy,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    device: Pose,
    apart: Vector,
}

impl Coupling {
    /// Creates a coupling at rest. Errors: an option that is negative or not finite.
    pub fn new(options: CouplingOptions) -> Result<Self, HapticError> {
        let quantities = [
            ("stiffness", options.stiffness),
            ("damping", options.damping),
            ("angular stiffness", options.angular_stiffness),
            ("force limit", options.force_limit),
            ("torque limit", options.torque_limit),
        ];
        match quantities.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((quantity, found)) => Err(HapticError::Option { quantity, found, wanted: "0 or more" }),
            None => Ok(Self { options, last: None, energy: Energy::default() }),
        }
    }

    /// The energies exchanged so far.
    pub fn energy(&self) -> Energy {
        self.energy
    }

    /// The wrench on the device at `device` after a tick of the proxy, `step` seconds after the last one.
    ///
    /// The work of a tick is the wrench times the motion of the device since the last tick.
    pub fn wrench(&mut self, device: &Pose, tick: &Tick, step: f64) -> Wrench {
        let apart = Twist::between(&tick.pose, device);
        let last = self.last.unwrap_or(Last { device: *device, apart: apart.linear });
        let speed = if step > 0.0 { (apart.linear - last.apart) / step } else { Vector::zeros() };
        let mut wrench = Wrench {
            force: (-apart.linear * self.options.stiffness - speed * self.options.damping)
                .cap_magnitude(self.options.force_limit),
            torque: (-apart.angular * self.options.angular_stiffness)
                .cap_magnitude(self.options.torque_limit),
        };
        let pushed = wrench.force.dot(&Vector::from(tick.pushed));
        self.energy.from_obstacles += pushed.max(0.0);
        let moved = Twist::between(&last.device, device);
        let work = wrench.force.dot(&moved.linear) + wrench.torque.dot(&moved.angular);
        if work > 0.0 {
            let left = self.energy.left().max(0.0);
            // Less than all that is left: rounding must not make it more.
            let part = if work > left { (1.0 - 4.0 * f64::EPSILON) * left / work } else { 1.0 };
            wrench = Wrench { force: wrench.force * part, torque: wrench.torque * part };
            self.energy.to_device += wrench.force.dot(&moved.linear) + wrench.torque.dot(&moved.angular);
        } else {
            self.energy.from_device -= work;
        }
        self.last = Some(Last { device: *device, apart: apart.linear });
        wrench
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn tick(height: f64) -> Tick {
        Tick {
            pose: Pose::translation(0.0, height, 0.0),
            pushed: [0.0; 3],
            contacts: 1,
            detections: 1,
            is_outside: true,
        }
    }

    #[test]
    fn a_device_pressed_in_and_let_out_gets_back_what_it_gave() {
        let mut coupling = Coupling::new(CouplingOptions { damping: 0.0, ..Default::default() }).unwrap();
        let depth = |k: usize| -1e-5 * (if k < 500 { k } else { 1000 - k }) as f64;
        for k in 0..=1000 {
            let wrench = coupling.wrench(&Pose::translation(0.0, depth(k), 0.0), &tick(0.0), 1e-3);
            assert!((wrench.force.y + 500.0 * depth(k)).abs() < 1e-9, "{k}: {}", wrench.force.y);
            assert!(coupling.energy().left() >= 0.0);
        }
        let (given, spring) = (coupling.energy().from_device, 0.5 * 500.0 * 5e-3 * 5e-3);
        assert!((given - spring).abs() < 0.01 * spring, "{given}");
        assert!(coupling.energy().left() < 0.01 * spring);
    }

    #[test]
    fn energy_that_was_never_given_is_not_returned() {
        let mut coupling = Coupling::new(CouplingOptions::default()).unwrap();
        // The device begins inside, and is pushed out without ever having been pressed in.
        for k in 0..100 {
            let device = Pose::translation(0.0, -5e-3 + 5e-5 * f64::from(k), 0.0);
            let wrench = coupling.wrench(&device, &tick(0.0), 1e-3);
            assert!(k == 0 || wrench.force.norm() == 0.0, "{k}: {wrench:?}");
        }
        assert_eq!(coupling.energy().to_device, 0.0);
    }

    #[test]
    fn an_obstacle_that_pushes_the_proxy_puts_energy_in() {
        let mut coupling = Coupling::new(CouplingOptions::default()).unwrap();
        let still = Pose::identity();
        for k in 0..50 {
            let pushed = Tick { pushed: [0.0, 1e-4, 0.0], ..tick(1e-4 * f64::from(k)) };
            assert!(coupling.wrench(&still, &pushed, 1e-3).force.y >= 0.0);
        }
        let given = coupling.energy().from_obstacles;
        assert!(given > 5e-3, "{given}");
        // The device yields, and gets it.
        coupling.wrench(&Pose::translation(0.0, 1e-3, 0.0), &tick(5e-3), 1e-3);
        assert!(coupling.energy().to_device > 0.0 && coupling.energy().left() >= 0.0);
    }

    #[test]
    fn a_negative_option_is_named() {
        let error = Coupling::new(CouplingOptions { damping: -1.0, ..Default::default() }).unwrap_err();
        assert_eq!(error.to_string(), "the damping is -1; wanted 0 or more");
    }
}
