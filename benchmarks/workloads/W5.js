// A short run of a bit of everything; the labels that the program calls are functions.
globalThis.run = ({ x }) => {
  const tierOf = (low) => (low ? "low" : "high");
  const sumOf = (a, b, d) => {
    const w = a + b;
    return w + d;
  };
  const a = x + 5;
  const b = a * 3;
  const d = b - x;
  const p = d < 100;
  const tier = tierOf(p);
  const name = "bob";
  const k = `user_${name}`;
  const o = { id: x };
  o.name = k;
  o.tier = tier;
  const g = o.name;
  const e = g === "user_bob";
  const ok = e ? a + 1 : a + 2;
  const l = [];
  l.push(a);
  l.push(b);
  l.push(d);
  const n = l.length;
  let z = n + d;
  z = z * 2;
  const sum = sumOf(a, b, d);
  const h = o.tier;
  o.y = `${h}-done`;
  o.sum = sum;
  globalThis.observed = ok + z;
  return o;
};
