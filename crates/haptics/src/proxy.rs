//! The proxy: a tool that follows a target and stays outside.

use crate::HapticError;
use crate::twist::{Row, Twist, nearest_allowed};
use palpate_contact::Side;
use palpate_geometry::Pose;
use palpate_math::Point;
use palpate_scene::{GeometryId, Scene};

/// How often a step that ends inside is halved before the proxy stays where it is.
const HALVINGS: usize = 6;

/// Corrections of a pose that is inside, each by the contacts found there.
const CORRECTIONS: usize = 24;

/// The gap that is kept, as a part of the reach: what curvature takes within one step is corrected within it.
const SKIN: f64 = 1e-3;

/// Options of a proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct ProxyOptions {
    /// Metres: the greatest motion of a point of the tool between two detections. The margin of the tool's pairs must be at
    /// least as large. Larger steps need fewer detections; steps smaller than the details of the obstacles are safer.
    pub reach: f64,
    /// The greatest number of steps in a tick; what is left of the way is for the next tick.
    pub steps: usize,
}

impl Default for ProxyOptions {
    /// A reach of 2 mm, eight steps a tick: up to 16 m/s at 1 kHz.
    fn default() -> Self {
        Self { reach: 0.002, steps: 8 }
    }
}

/// What a tick came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// The pose of the tool at the end of the tick.
    pub pose: Pose,
    /// How far obstacles that moved have pushed the tool's origin before it followed the target, in metres.
    pub pushed: [f64; 3],
    /// Number of contacts of the tool within the margin.
    pub contacts: usize,
    /// Number of detections.
    pub detections: usize,
    /// Whether the tool is outside of everything. False only if obstacles have closed on it from several sides.
    pub is_outside: bool,
}

/// A tool that follows a target without entering the obstacles it has pairs with: a sphere, a capsule, a box, a hull or any
/// other geometry with a pose.
///
/// The scene belongs to the haptic loop: every tick steps it some times. Obstacles may move and deform between ticks.
#[derive(Clone, Debug)]
pub struct Proxy {
    tool: GeometryId,
    options: ProxyOptions,
    pose: Pose,
    rows: Vec<Row>,
    multipliers: Vec<f64>,
}

impl Proxy {
    /// A proxy for a tool, at the tool's present pose, which has to be outside of the obstacles: from inside, the first tick
    /// leaves by the contacts' directions.
    ///
    /// Errors: an id of another scene; a reach that is not positive, or no steps; a tool without pairs, or with a pair whose
    /// margin is below the reach.
    pub fn new(scene: &Scene, tool: GeometryId, options: ProxyOptions) -> Result<Self, HapticError> {
        if !(options.reach > 0.0 && options.reach.is_finite()) {
            let (quantity, found) = ("reach", options.reach);
            return Err(HapticError::Option { quantity, found, wanted: "a positive number of metres" });
        }
        if options.steps == 0 {
            return Err(HapticError::Option {
                quantity: "number of steps",
                found: 0.0,
                wanted: "at least 1",
            });
        }
        let mut count = 0;
        for id in scene.pairs() {
            let pair = scene.pair(id)?;
            if pair.is_with(tool) && !pair.is_self() {
                count += 1;
                if pair.margin() < options.reach {
                    return Err(HapticError::Margin { pair: id, found: pair.margin(), reach: options.reach });
                }
            }
        }
        let pose = scene.pose(tool)?;
        match count {
            0 => Err(HapticError::NoPair),
            _ => Ok(Self { tool, options, pose, rows: Vec::new(), multipliers: Vec::new() }),
        }
    }

    /// The pose of the tool at the end of the last tick.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Moves the tool toward `target` as far as it gets without entering an obstacle, sliding along what is in the way. At
    /// the end of the tick the tool is outside of everything, unless obstacles have closed on it (see
    /// [`Tick::is_outside`]); the scene's contacts are those of that pose.
    ///
    /// Errors: a target that is not finite; a detector that fails. Cost: some detections of the tool's pairs, two in most
    /// ticks.
    pub fn follow(&mut self, scene: &mut Scene, target: &Pose) -> Result<Tick, HapticError> {
        let before = self.pose.translation.vector;
        let mut detections = 1;
        let mut depth = self.detect(scene, self.pose)?;
        if depth > 0.0 {
            depth = self.leave(scene, self.pose, &mut detections)?;
        }
        let pushed = (self.pose.translation.vector - before).into();
        let is_outside = depth <= 0.0;
        for _ in 0..self.options.steps {
            let wanted = Twist::between(&self.pose, target);
            if !is_outside || wanted == Twist::default() {
                break;
            }
            let has_moved = self.step(scene, &wanted, &mut detections)?;
            let (left, radius) = (Twist::between(&self.pose, target), self.radius(scene)?);
            // A step against an edge may gain next to nothing.
            let gained = wanted.greatest_motion(radius) - left.greatest_motion(radius);
            if !has_moved || gained <= SKIN * self.options.reach {
                break;
            }
        }
        let contacts = self.rows.len();
        Ok(Tick { pose: self.pose, pushed, contacts, detections, is_outside })
    }

    /// Moves by one step, at most the reach, from a pose that is outside to another. False if there is none; the pose, and
    /// what the scene has found, are then as before.
    fn step(
        &mut self,
        scene: &mut Scene,
        wanted: &Twist,
        detections: &mut usize,
    ) -> Result<bool, HapticError> {
        let (start, radius) = (self.pose, self.radius(scene)?);
        let limit = self.options.reach * (1.0 - 2.0 * SKIN);
        let allowed = nearest_allowed(
            &wanted.limited(radius, limit),
            &self.rows,
            radius,
            SKIN * self.options.reach,
            &mut self.multipliers,
        );
        let mut twist = allowed.limited(radius, limit);
        for _ in 0..HALVINGS {
            let candidate = twist.apply(&start);
            *detections += 1;
            if self.detect(scene, candidate)? <= 0.0 || self.leave(scene, candidate, detections)? <= 0.0 {
                return Ok(true);
            }
            twist = twist.scaled(0.5);
        }
        *detections += 1;
        self.detect(scene, start)?;
        Ok(false)
    }

    /// Leaves the obstacles from a pose that is inside, by the contacts found there, again and again. Returns the depth that
    /// is left: 0 or less if the tool is outside.
    fn leave(&mut self, scene: &mut Scene, from: Pose, detections: &mut usize) -> Result<f64, HapticError> {
        let radius = self.radius(scene)?;
        let (mut pose, mut depth) = (from, f64::INFINITY);
        for attempt in 0..CORRECTIONS {
            // Farther with every attempt: first to the surface, then beyond it.
            let skin = SKIN * self.options.reach * f64::from(1 << (attempt / 2).min(12));
            let out = nearest_allowed(&Twist::default(), &self.rows, radius, skin, &mut self.multipliers);
            pose = out.apply(&pose);
            *detections += 1;
            depth = self.detect(scene, pose)?;
            if depth <= 0.0 {
                break;
            }
        }
        Ok(depth)
    }

    /// Finds the contacts of the tool at a pose, which becomes that of the proxy. Returns the greatest depth; negative
    /// infinity without contacts.
    fn detect(&mut self, scene: &mut Scene, pose: Pose) -> Result<f64, HapticError> {
        scene.set_pose(self.tool, pose)?;
        scene.step()?;
        self.pose = pose;
        self.rows.clear();
        let origin = Point::from(pose.translation.vector);
        let mut depth = f64::NEG_INFINITY;
        for pair in scene.pairs_in_contact().filter(|pair| pair.is_with(self.tool) && !pair.is_self()) {
            let side = if pair.a() == self.tool { Side::A } else { Side::B };
            for contact in &pair.contacts().contacts {
                depth = depth.max(contact.depth);
                self.rows.push(Row::new(contact, side, &origin));
            }
        }
        Ok(depth)
    }

    /// The distance of the tool's farthest point from its origin, from above.
    fn radius(&self, scene: &Scene) -> Result<f64, HapticError> {
        let bounds = scene.geometry(self.tool)?.bounds();
        let origin = self.pose.translation.vector;
        let far = |axis: usize| {
            (bounds.max[axis] - origin[axis]).abs().max((bounds.min[axis] - origin[axis]).abs())
        };
        Ok(Point::new(far(0), far(1), far(2)).coords.norm())
    }
}
