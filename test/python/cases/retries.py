#: re-leaves-by-return | retry
#> {"n": 2}
#> {"n": 5}
def main(n):
    seen = []
    def ask():
        with retry(times=n):
            seen.append(len(seen))
            return http.Get("k").body
    try:
        got = ask()
    except AdapterError as e:
        got = e.code
    return [got, seen]

#: re-leaves-by-break | retry
#> {}
def main():
    got = []
    for x in ["a", "b", "c", "d"]:
        with retry(1):
            v = http.Get(x).body
            if v is None:
                continue
            if v == 3:
                break
            got.append([x, v])
        got.append(x)
    else:
        got.append("never")
    return got

#: re-inner-loops-are-left-inside | retry
#> {}
def main():
    got = []
    for x in [1, 2]:
        with retry(2):
            for y in [1, 2, 3]:
                if y == 2:
                    break
                got.append([x, y])
            while True:
                if x == 1:
                    break
                got.append(http.Get("k").body)
                break
        got.append("after")
    return got

#: re-what-was-written-stays | retry
#> {}
def main():
    n = 0
    seen = {}
    with retry(3):
        n += 1
        seen[n] = "tried"
        value = http.Get("k").body
    return [n, seen, value]

#: re-other-failures-pass | retry
#> {"what": "value"}
#> {"what": "final"}
def main(what):
    tries = 0
    try:
        with retry(3):
            tries += 1
            if what == "value":
                raise ValueError("no")
            http.Get("k")
    except (ValueError, AdapterError) as e:
        return [tries, type(e).__name__, str(e)]

#: re-the-last-failure-is-raised | retry raises
#> {}
def main():
    with retry(1, 5, "exponential"):
        return http.Get("k").body

#: re-nested | retry
#> {}
def main():
    log = []
    with retry(1):
        log.append("outer")
        a = http.Get("a").body
        with retry(1):
            log.append("inner")
            b = http.Get("b").body
    return [log, a, b]

#: re-finally-inside | retry
#> {}
def main():
    log = []
    with retry(2):
        try:
            log.append("try")
            v = http.Get("k").body
        except ValueError:
            log.append("never")
        else:
            log.append("else")
        finally:
            log.append("finally")
    return [log, v]

#: re-finally-outside | retry
#> {}
def main():
    log = []
    for x in [1, 2]:
        try:
            with retry(0):
                if x == 2:
                    return log
                http.Get("k")
        except AdapterError as e:
            log.append(e.retryable)
            continue
        finally:
            log.append("finally")

#: re-imported | retry
#> {}
from weft import http, retry
def main():
    with retry():
        return http.Get("k").body

#: re-of-the-module | retry
#> {}
import weft
def main():
    with weft.retry(strategy="fixed", times=1):
        return http.Get("k").body

#: re-in-a-helper | retry
#> {}
def ask(key, default=None):
    try:
        with retry(1):
            return http.Get(key).body
    except AdapterError:
        return default
def main():
    return [ask(k, k.upper()) for k in ["a", "b", "a"]]

#: re-wrong-arguments | retry
#> {"times": -1}
#> {"times": "3"}
#> {"times": 2, "strategy": "linear"}
#> {"times": 2.5}
def main(times, strategy="fixed"):
    try:
        with retry(times, strategy=strategy):
            return "ran"
    except (TypeError, ValueError) as e:
        return type(e).__name__

#: re-a-name-of-ones-own | retry
#> {}
def retry(n):
    return n + 1
def main():
    return retry(3)

#: re-script | retry
#> {}
n = 0
with retry(2):
    n += 1
    http.Get("k")
result = n

#: re-as | retry | refused 2
#> {}
def main():
    with retry(3) as attempt:
        return 1

#: re-decorator | retry | refused 1
#> {}
@retry(3)
def main():
    return 1

#: re-uncalled | retry | refused 2
#> {}
def main():
    with retry:
        return 1

#: re-value | retry | refused 2
#> {}
def main():
    again = retry
    return 1

#: re-called-alone | retry | refused 2
#> {}
def main():
    retry(3)
    return 1

#: re-unknown-argument | retry | refused 2 TypeError
#> {}
def main():
    with retry(3, delay=5):
        return 1
