// The sum of all products, each row of them collected in a list of its own.
globalThis.run = ({ xs, ys }) => {
  let s = 0;
  let tot = 0;
  for (const x of xs) {
    const m = [];
    for (const y of ys) {
      const t = x * y;
      s = s + t;
      m.push(t);
    }
    tot = tot + m.length;
  }
  globalThis.observed = tot;
  return s;
};
