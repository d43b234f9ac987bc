//! The iteration of rigid rows, which multiplies what was prepared, against the plain formula on Jacobians and masses.

use crate::rigid_rows::{list, random_contact, random_mass};
use crate::sample::{Sample, count};
use palpate_math::Vector;
use palpate_response::rigid::{Body, FrictionBound, Mass, RowRef, Rows, Settings, Velocity};
use palpate_response::{Material, Motion};

/// Iterations of a case.
const ITERATIONS: usize = 6;

/// What the plain formula knows of a pair: its material, the bodies, which of them is dynamic.
struct Plain<'a> {
    material: &'a Material,
    settings: &'a Settings,
    masses: &'a [Mass; 2],
    is_dynamic: [bool; 2],
}

impl Plain<'_> {
    /// Applies an impulse along a constraint: `M⁻¹ Jᵀ`.
    fn apply(&self, row: &RowRef<'_>, k: usize, impulse: f64, velocities: &mut [Velocity; 2]) {
        for (side, [linear, angular]) in row.jacobian(k).into_iter().enumerate() {
            if self.is_dynamic[side] {
                let scaled = impulse * self.material.inverse_mass_scale[side];
                velocities[side].linear += linear * (self.masses[side].inverse * scaled);
                velocities[side].angular += self.masses[side].inverse_inertia * angular * scaled;
            }
        }
    }

    /// One step of projected Gauss–Seidel: both tangents together, bounded by the present normal impulse, then the normal.
    fn solve(&self, row: &RowRef<'_>, impulses: &mut [f64; 3], velocities: &mut [Velocity; 2]) {
        let [_, first, second] = row.rates(&velocities[..]);
        let masses = row.effective_masses();
        let (dynamic, normal) = (self.material.friction * impulses[0], impulses[0]);
        let most = self.material.friction.max(self.material.static_friction) * normal;
        let free = [impulses[1] - first * masses[1], impulses[2] - second * masses[2]];
        let size = free[0].hypot(free[1]);
        let wanted = match self.settings.friction_bound {
            FrictionBound::Cone if size <= most => free,
            FrictionBound::Cone => free.map(|x| x / size * dynamic),
            FrictionBound::Pyramid => free.map(|x| if x.abs() > most { dynamic * x.signum() } else { x }),
        };
        for k in [1, 2] {
            self.apply(row, k, wanted[k - 1] - impulses[k], velocities);
            impulses[k] = wanted[k - 1];
        }
        let softness = self.settings.push_rate * self.material.compliance / self.settings.step.powi(2);
        let lacking = row.target() - row.rates(&velocities[..])[0] - softness * impulses[0];
        let wanted = (impulses[0] + lacking * masses[0]).max(0.0);
        self.apply(row, 0, wanted - impulses[0], velocities);
        impulses[0] = wanted;
    }
}

/// The velocity of the formula and of the rows, relative to the largest; and how far friction went.
fn compare(sample: &mut Sample, bound: FrictionBound) -> (f64, bool) {
    let settings = Settings { friction_bound: bound, ..Settings::new(0.01) };
    let material = Material {
        static_friction: sample.between(0.0, 0.8),
        restitution: sample.between(0.0, 1.0),
        compliance: sample.between(0.0, 1e-4),
        inverse_mass_scale: [sample.between(0.5, 2.0), sample.between(0.5, 2.0)],
        ..Material::with_friction(sample.between(0.1, 0.6))
    };
    let masses = [random_mass(sample), random_mass(sample)];
    let motion = Motion { center: sample.point(), velocity: sample.vector(), spin: sample.vector() };
    let is_dynamic = if sample.between(0.0, 1.0) < 0.5 { [true, true] } else { [false, true] };
    let body = |k: usize| if is_dynamic[k] { Body::Dynamic(k) } else { Body::Kinematic(motion) };
    let mut velocities =
        [(); 2].map(|()| Velocity { linear: sample.vector() * 3.0, angular: sample.vector() * 3.0 });
    let depth = sample.between(-0.002, 0.01);
    let contacts = [(); 3].map(|()| random_contact(sample, depth));
    let contacts: Vec<_> = (0..)
        .zip(contacts)
        .map(|(id, mut contact)| {
            contact.id = id;
            contact
        })
        .collect();
    let mut rows = Rows::new(settings);
    rows.gather([list(0, [0, 1], &contacts)], &masses, &velocities, body, |_| material).unwrap();
    let plain = Plain { material: &material, settings: &settings, masses: &masses, is_dynamic };
    let (mut fast, mut impulses) = (velocities, [[0.0; 3]; 3]);
    for _ in 0..ITERATIONS {
        rows.iter_mut().for_each(|row| row.solve(&mut fast));
        for (row, impulses) in rows.iter().zip(&mut impulses) {
            plain.solve(&row, impulses, &mut velocities);
        }
    }
    let parts = |v: &Velocity| [v.linear, v.angular];
    let size = velocities.iter().flat_map(parts).map(|v| v.norm()).fold(1.0, f64::max);
    let apart = |(now, plain): (Vector, Vector)| (now - plain).norm() / size;
    let both = fast.iter().flat_map(parts).zip(velocities.iter().flat_map(parts));
    let mut worst = both.map(apart).fold(0.0, f64::max);
    let largest = impulses.iter().flatten().fold(1.0, |most: f64, impulse| most.max(impulse.abs()));
    for (row, impulses) in rows.iter().zip(&impulses) {
        let off = (Vector::from(row.impulses()) - Vector::from(*impulses)).norm() / largest;
        worst = worst.max(off);
    }
    let slides = |[normal, first, second]: &[f64; 3]| {
        *normal > 0.0 && first.hypot(*second) >= 0.999 * material.friction * normal
    };
    (worst, impulses.iter().any(slides))
}

#[test]
fn the_prepared_iteration_is_the_plain_formula() {
    for bound in [FrictionBound::Cone, FrictionBound::Pyramid] {
        let mut sample = Sample::new(64);
        let mut slid = 0;
        for _ in 0..count() {
            let (off, slides) = compare(&mut sample, bound);
            assert!(off <= 1e-11, "{bound:?}: {off:e}");
            slid += usize::from(slides);
        }
        assert!(slid > count() / 10 && slid < count(), "{bound:?}: {slid} slide");
    }
}
