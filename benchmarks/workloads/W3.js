// A Fibonacci number by double recursion over two shared variables.
globalThis.run = ({ base }) => {
  let n = 25;
  let acc = base;
  const descend = () => {
    if (n < 2) {
      acc = acc + n;
      return;
    }
    n = n - 1;
    descend();
    n = n - 1;
    descend();
    n = n + 2;
  };
  descend();
  return acc - base;
};
