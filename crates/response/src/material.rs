//! The material of a pair.

use crate::ResponseError;

/// How two surfaces meet. The default is hard, frictionless and without rebound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Material {
    /// Coulomb's coefficient of dynamic friction.
    pub friction: f64,
    /// The coefficient of static friction; at least `friction` is used.
    pub static_friction: f64,
    /// Metres: the moment against rolling is no greater than this times the normal force; 0, the default, lets round bodies roll
    /// on for ever. Of the order of the half width of the contact: 1e-5 to 1e-3 times the radius for metal, 0.01 for rubber. Only
    /// rigid bodies roll: [`rigid::Rows::solve_rolling`](crate::rigid::Rows::solve_rolling),
    /// [`pbd::RowMut::resist_rolling`](crate::pbd::RowMut::resist_rolling).
    pub rolling_friction: f64,
    /// The speed of separation as a fraction of the speed of approach, 0 to 1.
    pub restitution: f64,
    /// Metres per second: slower approaches do not rebound. At least the speed that gravity gives in one step, or
    /// bodies at rest do not stay at rest.
    pub rebound_speed: f64,
    /// Metres per newton: inverse stiffness of the contact (XPBD; rows of rigid bodies soften their diagonal by it). 0 is hard.
    pub compliance: f64,
    /// Metres: the gap that is kept between the surfaces.
    pub thickness: f64,
    /// Factors on the inverse masses of side A and side B in this contact. Factors that differ make one side yield more,
    /// and momentum is then not conserved; 0 makes a side immovable.
    pub inverse_mass_scale: [f64; 2],
}

impl Material {
    /// Hard, without friction or rebound.
    pub const HARD: Self = Self {
        friction: 0.0,
        static_friction: 0.0,
        rolling_friction: 0.0,
        restitution: 0.0,
        rebound_speed: 0.0,
        compliance: 0.0,
        thickness: 0.0,
        inverse_mass_scale: [1.0; 2],
    };

    /// Hard, with one coefficient of friction.
    pub const fn with_friction(friction: f64) -> Self {
        Self { friction, ..Self::HARD }
    }

    /// Checks that every quantity is finite and not negative. Errors: names the first that is not.
    #[inline]
    pub(crate) fn checked(self, pair: u64) -> Result<Self, ResponseError> {
        let quantities = [
            ("friction", self.friction),
            ("static friction", self.static_friction),
            ("rolling friction", self.rolling_friction),
            ("restitution", self.restitution),
            ("rebound speed", self.rebound_speed),
            ("compliance", self.compliance),
            ("thickness", self.thickness),
            ("inverse mass scale of A", self.inverse_mass_scale[0]),
            ("inverse mass scale of B", self.inverse_mass_scale[1]),
        ];
        // Without a branch per quantity: this runs for every pair of every step.
        let is_right = |value: f64| (0.0..f64::INFINITY).contains(&value);
        if quantities.iter().fold(true, |all, &(_, value)| all & is_right(value)) {
            return Ok(self);
        }
        match quantities.into_iter().find(|&(_, value)| !is_right(value)) {
            Some((quantity, found)) => Err(ResponseError::Material { pair, quantity, found }),
            None => Ok(self),
        }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self::HARD
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_or_infinite_quantity_is_named() {
        assert!(Material::with_friction(0.5).checked(3).is_ok());
        let negative = Material { thickness: -1.0, ..Material::HARD }.checked(3);
        assert_eq!(negative, Err(ResponseError::Material { pair: 3, quantity: "thickness", found: -1.0 }));
        assert!(Material { inverse_mass_scale: [1.0, f64::NAN], ..Material::HARD }.checked(0).is_err());
    }
}
