// Counts from `start`; returns how many additions that took.
globalThis.run = ({ start }) => {
  const end = start + 1000000;
  let i = start;
  let c = true;
  while (c) {
    i = i + 1;
    c = i < end;
  }
  return i - start;
};
