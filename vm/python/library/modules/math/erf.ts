/**
 * The error function, as the C library of Linux computes it (`s_erf.c`, by Sun Microsystems). Between 1.25 and 6 it takes two exponentials, of which
 * the C library may round the last bit the other way: where that would show, the value is not exact.
 */
import { notExact } from "../../../not-exact.ts";
import { exponential, scale } from "../../../operators/double-double.ts";

const ERX = 0.8450629115104675;
const EFX = 0.1283791670955126;

// Numerators and denominators below 0.84375, below 1.25, below 1 / 0.35 and above, from the lowest power on.
const PP = [
  0.12837916709551256, -0.3250421072470015, -0.02848174957559851, -0.005770270296489442, -2.3763016656650163e-5,
];
const QQ = [
  1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766, 0.00013249473800432164, -3.960228278775368e-6,
];
const PA = [
  -0.0023621185607526594, 0.41485611868374833, -0.3722078760357013, 0.31834661990116175, -0.11089469428239668,
  0.035478304325618236, -0.002166375594868791,
];
const QA = [
  1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164, 0.01363708391202905,
  0.011984499846799107,
];
const RA = [
  -0.009864944034847148, -0.6938585727071818, -10.558626225323291, -62.375332450326006, -162.39666946257347,
  -184.60509290671104, -81.2874355063066, -9.814329344169145,
];
const SA = [
  1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679, 429.00814002756783,
  108.63500554177944, 6.570249770319282, -0.0604244152148581,
];
const RB = [
  -0.0098649429247001, -0.799283237680523, -17.757954917754752, -160.63638485582192, -637.5664433683896,
  -1025.0951316110772, -483.5191916086514,
];
const SB = [
  1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955, 2553.0504064331644,
  474.52854120695537, -22.44095244658582,
];

/** In the order of the C library: pairs of terms, with even powers of z before them. */
function inPairs(coefficients: readonly number[], z: number): number {
  const square = z * z;
  let power = square;
  let sum = 0;
  for (let at = 0; at < coefficients.length; at += 2) {
    const low = coefficients[at] as number;
    const high = coefficients[at + 1];
    const pair = high === undefined ? low : low + z * high;
    if (at === 0) sum = pair;
    else sum += power * pair;
    if (at === 2) power = square * square;
    if (at === 4) power = square * square * square;
    if (at === 6) power = square * square * (square * square);
  }
  return sum;
}

const buffer = new DataView(new ArrayBuffer(8));

/** Without the lower half of its bits. */
function withUpperHalf(x: number): number {
  buffer.setFloat64(0, x);
  buffer.setUint32(4, 0);
  return buffer.getFloat64(0);
}

/** The C library's exponential is at most 0.53 units of the last bit away. */
const DOUBT = 0.47;

/** The exponential as the C library may round it. */
function exponentials(x: number): readonly number[] {
  const [value, power] = exponential([x, 0]);
  const [nearest, rest] = scale(value, power);
  const unit = 2 ** (Math.floor(Math.log2(nearest)) - 52);
  if (Math.abs(rest) < DOUBT * unit) return [nearest];
  return [nearest, nearest + Math.sign(rest) * unit];
}

function far(size: number): number {
  const s = 1 / (size * size);
  const isNear = size < 1 / 0.35;
  const quotient = isNear ? inPairs(RA, s) / inPairs(SA, s) : inPairs(RB, s) / inPairs(SB, s);
  const z = withUpperHalf(size);
  const [first, second] = [exponentials(-z * z - 0.5625), exponentials((z - size) * (z + size) + quotient)];
  const results = new Set(first.flatMap((a) => second.map((b) => 1 - (a * b) / size)));
  if (results.size > 1)
    throw notExact("the last bit of this value of erf depends on the C library; round what it is asked for");
  return [...results][0] as number;
}

export function errorFunction(x: number): number {
  const size = Math.abs(x);
  if (size < 2 ** -1015) return 0.0625 * (16 * x + 16 * EFX * x);
  if (size < 2 ** -28) return x + EFX * x;
  if (size < 0.84375) {
    const z = x * x;
    return x + x * (inPairs(PP, z) / inPairs(QQ, z));
  }
  if (Number.isNaN(x)) return x;
  let result = 1;
  if (size < 1.25) result = ERX + inPairs(PA, size - 1) / inPairs(QA, size - 1);
  else if (size < 6) result = far(size);
  return x < 0 ? -result : result;
}
