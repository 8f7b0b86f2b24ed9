// What the learner computes on a graphics card, see mod.rs.
//
// Sums are added up in one order only, so that one card always gives the same
// result.

struct Step {
    /// The lessons of the batch.
    count: u32,
    /// The hidden values of each player.
    hidden: u32,
    /// The rows of weights: those of the features, then those of the output
    /// layers.
    features: u32,
    rows: u32,
    /// The squares of the board.
    squares: u32,
    /// 0 if only the loss is wanted.
    learning: u32,
    /// Adam's rate, and what the mean square is multiplied by, see adam.rs.
    rate: f32,
    square_correction: f32,
}

@group(0) @binding(0) var<uniform> batch: Step;
/// For each lesson the rows of the towers, those of each worker from the
/// mover's and the other player's side, the stage and the target.
@group(0) @binding(1) var<storage, read> lessons: array<u32>;
/// Which lessons have a row, see batch.rs.
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(3) var<storage, read_write> weights: array<f32>;
/// The moving means of each weight's gradient and of its square.
@group(0) @binding(4) var<storage, read_write> moments: array<vec2<f32>>;
/// For each lesson the hidden values of the mover and of the other player.
@group(0) @binding(5) var<storage, read_write> values: array<f32>;
/// Their gradients.
@group(0) @binding(6) var<storage, read_write> gradients: array<f32>;
/// For each lesson the error of the last prediction, and all losses counted.
@group(0) @binding(7) var<storage, read_write> results: array<vec2<f32>>;
/// For each stage the bias and its two moving means.
@group(0) @binding(8) var<storage, read_write> biases: array<vec4<f32>>;

const STAGES = 8u;
const THREADS = 64u;
/// The widest row of work groups.
const GRID = 32768u;
const WORKERS = 4u;
const MOVER = 1u;
const OTHER = 2u;

override mean_decay: f32;
override square_decay: f32;
override least_root: f32;
override max_weight: f32;

var<workgroup> sums: array<f32, THREADS>;

/// A hidden value clipped and squared.
fn activated(value: f32) -> f32 {
    let clipped = clamp(value, 0.0, 1.0);
    return clipped * clipped;
}

/// The slope of that: none where clipped.
fn slope(value: f32) -> f32 {
    return select(0.0, 2.0 * max(value, 0.0), value < 1.0);
}

fn cross_entropy(predicted: f32, wanted: f32) -> f32 {
    let p = clamp(predicted, 1e-7, 1.0 - 1e-7);
    return -(wanted * log(p) + (1.0 - wanted) * log(1.0 - p));
}

/// Predicts one lesson with a work group, counts its loss, and computes the
/// gradients of its hidden values.
@compute @workgroup_size(THREADS)
fn predict(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let lesson = group.y * GRID + group.x;
    if lesson >= batch.count {
        return;
    }
    let towers = lesson * (batch.squares + 2u * WORKERS + 2u);
    let workers = towers + batch.squares;
    let stage = lessons[workers + 2u * WORKERS];
    let wanted = bitcast<f32>(lessons[workers + 2u * WORKERS + 1u]);
    let hidden = batch.hidden;
    let own = (batch.features + 2u * stage) * hidden;
    let others = own + hidden;
    let mover_values = 2u * lesson * hidden;
    let other_values = mover_values + hidden;

    var sum = 0.0;
    for (var unit = thread; unit < hidden; unit += THREADS) {
        var seen = 0.0;
        for (var square = 0u; square < batch.squares; square++) {
            seen += weights[lessons[towers + square] * hidden + unit];
        }
        var mover = seen;
        var other = seen;
        for (var worker = 0u; worker < WORKERS; worker++) {
            mover += weights[lessons[workers + 2u * worker] * hidden + unit];
            other += weights[lessons[workers + 2u * worker + 1u] * hidden + unit];
        }
        values[mover_values + unit] = mover;
        values[other_values + unit] = other;
        sum += activated(mover) * weights[own + unit] + activated(other) * weights[others + unit];
    }
    sums[thread] = sum;
    for (var half = THREADS / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if thread < half {
            sums[thread] += sums[thread + half];
        }
    }
    workgroupBarrier();
    let predicted = 1.0 / (1.0 + exp(-(biases[stage].x + sums[0])));
    let error = (predicted - wanted) / f32(batch.count);
    if thread == 0u {
        results[lesson] = vec2(error, results[lesson].y + cross_entropy(predicted, wanted));
    }
    if batch.learning == 0u {
        return;
    }
    for (var unit = thread; unit < hidden; unit += THREADS) {
        let mover = mover_values + unit;
        let other = other_values + unit;
        gradients[mover] = error * weights[own + unit] * slope(values[mover]);
        gradients[other] = error * weights[others + unit] * slope(values[other]);
    }
}

/// The new value of a number and its moving means.
fn adam(number: vec3<f32>, gradient: f32) -> vec3<f32> {
    let mean = number.y + (1.0 - mean_decay) * (gradient - number.y);
    let square = number.z + (1.0 - square_decay) * (gradient * gradient - number.z);
    let change = batch.rate * mean / (sqrt(square * batch.square_correction) + least_root);
    return vec3(number.x - change, mean, square);
}

/// Changes a row of weights, 64 with each work group.
@compute @workgroup_size(THREADS)
fn change_weights(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let row = group.x;
    let unit = group.y * THREADS + thread;
    if unit >= batch.hidden {
        return;
    }
    var gradient = 0.0;
    for (var at = index[row]; at < index[row + 1u]; at++) {
        let entry = index[batch.rows + 1u + at];
        let lesson = entry >> 2u;
        let mover = 2u * lesson * batch.hidden + unit;
        let other = mover + batch.hidden;
        if row >= batch.features {
            let value = select(values[other], values[mover], (entry & MOVER) != 0u);
            gradient += results[lesson].x * activated(value);
        } else {
            if (entry & MOVER) != 0u {
                gradient += gradients[mover];
            }
            if (entry & OTHER) != 0u {
                gradient += gradients[other];
            }
        }
    }
    let weight = row * batch.hidden + unit;
    let changed = adam(vec3(weights[weight], moments[weight]), gradient);
    weights[weight] = clamp(changed.x, -max_weight, max_weight);
    moments[weight] = changed.yz;
}

/// Changes the biases of the stages, one with each thread.
@compute @workgroup_size(STAGES)
fn change_biases(@builtin(local_invocation_index) stage: u32) {
    // A stage's lessons are those of its output layer.
    let row = batch.features + 2u * stage;
    var gradient = 0.0;
    for (var at = index[row]; at < index[row + 1u]; at++) {
        gradient += results[index[batch.rows + 1u + at] >> 2u].x;
    }
    biases[stage] = vec4(adam(biases[stage].xyz, gradient), 0.0);
}
