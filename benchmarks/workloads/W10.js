// Ten steps.
globalThis.run = ({ x }) => {
  const a = x + 5;
  const b = a * 3;
  const p = b < 100;
  const tier = p ? "low" : "high";
  const k = `user_${tier}`;
  const o = { id: x };
  o.name = k;
  const g = o.name;
  return g ? o : null;
};
