// The network over features, sixteen lines at a time: numbers of one feature lie side by side, so that a vector holds
// four lines. Everything is 32-bit.

const CLIP: f32 = 6;
const EPSILON: f32 = 1e-5;
const TILE: i32 = 16;
const TILE_BYTES: usize = 64;

/** Where things lie; the host says. */
let width: i32 = 0;
let hiddenUnits: i32 = 0;
let columns: i32 = 0;
let stateAt: usize = 0;
let seenAt: usize = 0;
let stride: usize = 0;
let tileAt: usize = 0;
let hiddenAt: usize = 0;

export function place(w: i32, h: i32, c: i32, state: usize, seen: usize, rowBytes: usize, tile: usize, hidden: usize): void {
  width = w;
  hiddenUnits = h;
  columns = c;
  stateAt = state;
  seenAt = seen;
  stride = rowBytes;
  tileAt = tile;
  hiddenAt = hidden;
}

// @ts-ignore: decorator
@inline
function swish(x: v128): v128 {
  const gate = f32x4.add(f32x4.mul(x, f32x4.splat(1.0 / 6.0)), f32x4.splat(0.5));
  return f32x4.mul(x, f32x4.pmin(f32x4.pmax(gate, f32x4.splat(0)), f32x4.splat(1)));
}

/**
 * Two outputs of sixteen lines: `weights` are laid out two by two, input after input. More sums at once would not all fit into
 * the processor's sixteen vector registers, and each that does not costs more than a weight loaded again.
 */
// @ts-ignore: decorator
@inline
function two(x: usize, inputs: i32, weights: usize, bias: usize, to: usize, toStride: usize, mode: i32): void {
  let a0 = v128.load32_splat(bias), a1 = a0, a2 = a0, a3 = a0;
  let b0 = v128.load32_splat(bias, 4), b1 = b0, b2 = b0, b3 = b0;
  const end = x + (<usize>inputs) * TILE_BYTES;
  for (let at = x; at < end; at += TILE_BYTES) {
    const p = v128.load(at);
    const q = v128.load(at, 16);
    const r = v128.load(at, 32);
    const s = v128.load(at, 48);
    let w = v128.load32_splat(weights);
    a0 = f32x4.add(a0, f32x4.mul(p, w));
    a1 = f32x4.add(a1, f32x4.mul(q, w));
    a2 = f32x4.add(a2, f32x4.mul(r, w));
    a3 = f32x4.add(a3, f32x4.mul(s, w));
    w = v128.load32_splat(weights, 4);
    b0 = f32x4.add(b0, f32x4.mul(p, w));
    b1 = f32x4.add(b1, f32x4.mul(q, w));
    b2 = f32x4.add(b2, f32x4.mul(r, w));
    b3 = f32x4.add(b3, f32x4.mul(s, w));
    weights += 8;
  }
  if (mode == 1) {
    a0 = swish(a0); a1 = swish(a1); a2 = swish(a2); a3 = swish(a3);
    b0 = swish(b0); b1 = swish(b1); b2 = swish(b2); b3 = swish(b3);
  }
  const next = to + toStride;
  if (mode == 2) {
    a0 = f32x4.add(a0, v128.load(to)); a1 = f32x4.add(a1, v128.load(to, 16));
    a2 = f32x4.add(a2, v128.load(to, 32)); a3 = f32x4.add(a3, v128.load(to, 48));
    b0 = f32x4.add(b0, v128.load(next)); b1 = f32x4.add(b1, v128.load(next, 16));
    b2 = f32x4.add(b2, v128.load(next, 32)); b3 = f32x4.add(b3, v128.load(next, 48));
  }
  v128.store(to, a0); v128.store(to, a1, 16); v128.store(to, a2, 32); v128.store(to, a3, 48);
  v128.store(next, b0); v128.store(next, b1, 16); v128.store(next, b2, 32); v128.store(next, b3, 48);
}

function dense(inputs: i32, from: usize, weights: usize, bias: usize, outputs: i32, to: usize, toStride: usize, mode: i32): void {
  for (let out = 0; out < outputs; out += 2) {
    two(from, inputs, weights, bias, to, toStride, mode);
    weights += (<usize>inputs) * 8;
    bias += 8;
    to += 2 * toStride;
  }
}

/** `lines` lines whose columns lie at `input`, each column `inputStride` bytes, become state from line `first` on. */
export function readInput(input: usize, inputStride: usize, lines: i32, first: i32, mean: usize, scale: usize, weights: usize, bias: usize, outputs: i32): void {
  const high = f32x4.splat(CLIP);
  const low = f32x4.splat(-CLIP);
  for (let line = 0; line < lines; line += TILE) {
    let from = input + (<usize>line << 2);
    let tile = tileAt;
    for (let at = 0; at < columns; at++) {
      const m = v128.load32_splat(mean + (<usize>at << 2));
      const s = v128.load32_splat(scale + (<usize>at << 2));
      for (let part: usize = 0; part < TILE_BYTES; part += 16) {
        const scaled = f32x4.mul(f32x4.sub(v128.load(from + part), m), s);
        v128.store(tile + part, f32x4.pmin(f32x4.pmax(scaled, low), high));
      }
      from += inputStride;
      tile += TILE_BYTES;
    }
    dense(columns, tileAt, weights, bias, outputs, stateAt + (<usize>(first + line) << 2), stride, 0);
  }
}

/** Each line's state brought to mean 0 and variance 1, scaled and shifted, into `seen`. */
function normalise(lines: i32, scale: usize, shift: usize): void {
  const share = f32x4.splat(<f32>1 / <f32>width);
  for (let line = 0; line < lines; line += 4) {
    let from = stateAt + (<usize>line << 2);
    let sum = f32x4.splat(0);
    let squares = f32x4.splat(0);
    for (let at = 0; at < width; at++) {
      const x = v128.load(from);
      sum = f32x4.add(sum, x);
      squares = f32x4.add(squares, f32x4.mul(x, x));
      from += stride;
    }
    const mean = f32x4.mul(sum, share);
    const variance = f32x4.pmax(f32x4.sub(f32x4.mul(squares, share), f32x4.mul(mean, mean)), f32x4.splat(0));
    const factor = f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.add(variance, f32x4.splat(EPSILON))));
    from = stateAt + (<usize>line << 2);
    let to = seenAt + (<usize>line << 2);
    for (let at = 0; at < width; at++) {
      const x = f32x4.mul(f32x4.sub(v128.load(from), mean), factor);
      v128.store(to, f32x4.add(f32x4.mul(x, v128.load32_splat(scale + (<usize>at << 2))), v128.load32_splat(shift + (<usize>at << 2))));
      from += stride;
      to += stride;
    }
  }
}

/** What lies behind the last line counts as nothing. */
function clearBehind(lines: i32, padded: i32, reach: i32): void {
  for (let at = 0; at < width; at++) {
    const row = seenAt + <usize>at * stride;
    memory.fill(row + (<usize>lines << 2), 0, <usize>(padded - lines + reach) << 2);
  }
}

/** One block: `near` is five weights a feature. */
export function mix(lines: i32, padded: i32, dilation: i32, scale: usize, shift: usize, near: usize, inner: usize, innerBias: usize, whole: usize, bias: usize, outer: usize, outerBias: usize): void {
  normalise(padded, scale, shift);
  clearBehind(lines, padded, 2 * 9);
  // The mean over all lines adds the same to every line: it goes into the bias.
  for (let out = 0; out < hiddenUnits; out++) store<f32>(bias + (<usize>out << 2), load<f32>(innerBias + (<usize>out << 2)));
  const share: f32 = <f32>1 / <f32>max(1, lines);
  for (let at = 0; at < width; at++) {
    let sums = f32x4.splat(0);
    const row = seenAt + <usize>at * stride;
    for (let line = 0; line < padded; line += 4) sums = f32x4.add(sums, v128.load(row + (<usize>line << 2)));
    const mean = (f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3)) * share;
    for (let out = 0; out < hiddenUnits; out++) {
      const place = bias + (<usize>out << 2);
      store<f32>(place, load<f32>(place) + mean * load<f32>(whole + (<usize>(at * hiddenUnits + out) << 2)));
    }
  }
  const step = <usize>dilation << 2;
  const half = <usize>width * TILE_BYTES;
  for (let line = 0; line < padded; line += TILE) {
    let from = seenAt + (<usize>line << 2);
    let to = tileAt;
    let weight = near;
    for (let at = 0; at < width; at++) {
      for (let part: usize = 0; part < TILE_BYTES; part += 16) {
        v128.store(to + part, v128.load(from + part));
        let sum = f32x4.splat(0);
        let place = from + part - 2 * step;
        for (let k: usize = 0; k < 20; k += 4) {
          sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weight + k), v128.load(place)));
          place += step;
        }
        v128.store(to + part + half, sum);
      }
      from += stride;
      to += TILE_BYTES;
      weight += 20;
    }
    dense(2 * width, tileAt, inner, bias, hiddenUnits, hiddenAt, TILE_BYTES, 1);
    dense(hiddenUnits, hiddenAt, outer, outerBias, width, stateAt + (<usize>line << 2), stride, 2);
  }
}

/** The last norm and the score; the straight sum lies in the state's row `width`. */
export function finish(padded: i32, scale: usize, shift: usize, out: usize, outBias: f32, scores: usize): void {
  normalise(padded, scale, shift);
  for (let line = 0; line < padded; line += 4) {
    let sum = f32x4.add(f32x4.splat(outBias), v128.load(stateAt + <usize>width * stride + (<usize>line << 2)));
    let from = seenAt + (<usize>line << 2);
    for (let at = 0; at < width; at++) {
      sum = f32x4.add(sum, f32x4.mul(v128.load(from), v128.load32_splat(out + (<usize>at << 2))));
      from += stride;
    }
    v128.store(scores + (<usize>line << 2), sum);
  }
}
