// Builds a record per id, keeps those with a high score, sorts them by name, last name first.
globalThis.run = ({ ids }) => {
  const rows = [];
  let g1 = 0;
  for (const i of ids) {
    const name = `user_${i}`;
    const t = i * 7919;
    let q = Math.floor(t / 100);
    q = q * 100;
    const sc = t - q;
    const r = { id: i };
    r.name = name;
    r.score = sc;
    g1 = r.id;
    rows.push(r);
  }
  const f = rows.filter((row) => row.score >= 50);
  const g = [...f].sort((a, b) => (a.name < b.name ? 1 : a.name > b.name ? -1 : 0));
  globalThis.observed = g1;
  return g.length;
};
