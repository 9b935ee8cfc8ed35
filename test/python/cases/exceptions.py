#: ex-order | try
def f(x):
    log = []
    try:
        log.append("t")
        if x == 1:
            raise ValueError("v")
        if x == 2:
            return log
        log.append("end")
    except ValueError as e:
        log.append(str(e))
    else:
        log.append("else")
    finally:
        log.append("fin")
    log.append("after")
    return log
def main():
    return [f(0), f(1), f(2)]

#: ex-finally-return | finally
def f(x):
    for i in range(3):
        try:
            if x == "raise":
                raise KeyError("k")
            if x == "return":
                return "r"
            if x == "continue":
                continue
        finally:
            if x == "continue":
                break
            if i == 1 or x in ("raise", "return"):
                return ["finally", i]
    return ["end", i]
def main():
    return [f("raise"), f("return"), f("continue"), f("no")]

#: ex-finally-break | finally
def main():
    log = []
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            log.append(i)
        finally:
            log.append("f%d" % i)
    else:
        log.append("else")
    return log

#: ex-nested | try
def main():
    log = []
    try:
        try:
            raise KeyError("a")
        except ValueError:
            log.append("no")
        finally:
            log.append("inner")
    except KeyError as e:
        log.append(e.args[0])
        try:
            raise ValueError("b") from e
        except ValueError as e2:
            log.append(str(e2))
    return log

#: ex-hierarchy | classes
def kind(f):
    try:
        f()
    except ZeroDivisionError:
        return "zero"
    except LookupError as e:
        return "lookup " + type(e).__name__
    except (ValueError, TypeError) as e:
        return "bad " + type(e).__name__
    except Exception as e:
        return "other " + type(e).__name__
    return "fine"
def main():
    return [kind(lambda: 1 / 0), kind(lambda: {}["x"]), kind(lambda: [][0]), kind(lambda: int("x")), kind(lambda: 1 + "a"), kind(lambda: None.x), kind(lambda: 5), kind(lambda: 10.0 ** 400), kind(lambda: next(iter([])))]

#: ex-own | own classes
class AppError(Exception):
    pass
class NotFound(AppError):
    """Missing."""
class Fatal(Exception): pass
def get(k):
    if k == "n":
        raise NotFound(f"no {k}")
    if k == "f":
        raise Fatal("stop", 3)
    raise AppError
def main():
    out = []
    for k in "nfa":
        try:
            get(k)
        except NotFound as e:
            out.append(["nf", str(e)])
        except AppError as e:
            out.append(["app", str(e), list(e.args)])
        except Fatal as e:
            out.append([type(e).__name__, str(e), list(e.args), isinstance(e, Exception), isinstance(e, AppError)])
    return out

#: ex-uncaught-own | own classes
#> {"n": 1}
#> {"n": 0}
class TooSmall(ValueError):
    pass
def main(n):
    if n < 1:
        raise TooSmall(f"{n} is too small")
    return n

#: ex-reraise | raise
def main():
    log = []
    def f():
        try:
            return {}["missing"]
        except KeyError:
            log.append("seen")
            raise
    try:
        f()
    except KeyError as e:
        log.append(repr(str(e)))
    try:
        raise
    except RuntimeError as e:
        log.append(str(e))
    return log

#: ex-unbound-e | names
def main():
    e = "before"
    try:
        raise ValueError("x")
    except ValueError as e:
        pass
    try:
        return e
    except NameError as err:
        return type(err).__name__

#: ex-texts | texts
def text(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
def main():
    d = {"a": 1}
    return [text(lambda: d["b"]), text(lambda: d[1]), text(lambda: [1][5]), text(lambda: "abc"[9]), text(lambda: int("x1")), text(lambda: float("1,5")), text(lambda: 1 / 0), text(lambda: 1 // 0), text(lambda: 1.0 % 0), text(lambda: "a" + 1), text(lambda: 1 + "a"), text(lambda: None + 1), text(lambda: [].pop()), text(lambda: [1].remove(2)), text(lambda: [1].index(3))]

#: ex-texts-2 | texts
def text(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
def main():
    return [text(lambda: None["x"]), text(lambda: 5[0]), text(lambda: len(5)), text(lambda: "a" < 1), text(lambda: [1] < "x"), text(lambda: None()), text(lambda: (1, 2)[3]), text(lambda: sum(["a"])), text(lambda: {}[[]]), text(lambda: int(None)), text(lambda: int([])), text(lambda: "x".join([1])), text(lambda: max([])), text(lambda: {1} + {2}), text(lambda: -"a")]

#: ex-unpack-texts | texts
def text(f):
    try:
        return f()
    except Exception as e:
        return f"{type(e).__name__}: {e}"
def main():
    def two(x):
        a, b = x
        return [a, b]
    def star(x):
        a, *b, c = x
        return [a, b, c]
    return [text(lambda: two([1])), text(lambda: two([1, 2, 3])), text(lambda: two(5)), text(lambda: star([1])), text(lambda: two("xy")), text(lambda: two({"k": 1, "j": 2})), text(lambda: two(None))]

#: ex-args | raise
def main():
    out = []
    for e in (ValueError("a", 2), ValueError(), ValueError(5), KeyError("k"), KeyError("a", "b"), RuntimeError(None)):
        try:
            raise e
        except Exception as caught:
            out.append([str(caught), repr(caught), list(caught.args)])
    return out

#: ex-assert | assert
def check(x):
    assert x > 0, f"bad {x}"
    assert x < 10
    return x
def main():
    out = []
    for x in (5, -1, 20):
        try:
            out.append(check(x))
        except AssertionError as e:
            out.append(str(e))
    return out

#: ex-raise-text | raise
#> {"x": 1}
def main(x):
    raise "text"

#: ex-bare | try
def main():
    out = []
    for f in (lambda: 1 / 0, lambda: [][0], lambda: 3):
        try:
            out.append(f())
        except:
            out.append("any")
    return out

#: ex-loop-retry | patterns
#> {"fails": 2}
#> {"fails": 5}
def main(fails):
    calls = 0
    def flaky():
        nonlocal calls
        calls += 1
        if calls <= fails:
            raise ConnectionError(f"attempt {calls}")
        return "ok"
    for attempt in range(1, 4):
        try:
            result = flaky()
            break
        except ConnectionError as e:
            last = str(e)
    else:
        return {"failed": last, "calls": calls}
    return {"result": result, "attempt": attempt}

#: ex-collect | patterns
#> {"rows": [{"id": "1", "qty": "2"}, {"id": "x", "qty": "1"}, {"qty": "3"}, {"id": "4", "qty": null}, {"id": "5", "qty": "-1"}]}
def parse(row):
    qty = int(row["qty"])
    if qty < 0:
        raise ValueError(f"negative quantity: {qty}")
    return {"id": int(row["id"]), "qty": qty}
def main(rows):
    good, bad = [], []
    for i, row in enumerate(rows, start=1):
        try:
            good.append(parse(row))
        except KeyError as e:
            bad.append(f"row {i}: missing {e}")
        except (ValueError, TypeError) as e:
            bad.append(f"row {i}: {type(e).__name__}")
    return {"good": good, "bad": bad}

#: ex-else-raises | try
def main():
    log = []
    try:
        try:
            log.append(1)
        except ValueError:
            log.append("no")
        else:
            raise ValueError("from else")
        finally:
            log.append("f")
    except ValueError as e:
        log.append(str(e))
    return log

#: ex-stop | iteration
def main():
    it = iter("ab")
    out = [next(it), next(it)]
    try:
        next(it)
    except StopIteration:
        out.append("stop")
    return out

#: ex-finally-keeps-value | finally
def f():
    x = 1
    try:
        return x
    finally:
        x = 2
def g():
    xs = [1]
    try:
        return xs
    finally:
        xs.append(2)
def main():
    return [f(), g()]

#: ex-exception-in-handler | try
def main():
    log = []
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            log.append("h")
            {}["k"]
        finally:
            log.append("f")
    except KeyError:
        log.append("k")
    except ZeroDivisionError:
        log.append("z")
    return log

#: ex-while-finally | finally
def main():
    n = 0
    log = []
    while True:
        n += 1
        try:
            if n < 3:
                continue
            log.append(n)
            break
        finally:
            log.append(-n)
    return log

#: ex-attribute | classes
#> {"x": 5}
#> {"x": null}
#> {"x": "s"}
#> {"x": {"a": 1}}
def main(x):
    try:
        return x.a
    except AttributeError:
        return "no attribute"

#: ex-key-missing | uncaught
#> {"o": {"a": {"b": 1}}}
#> {"o": {"a": {}}}
#> {"o": {}}
#> {"o": {"a": null}}
#> {"o": {"a": "text"}}
#> {"o": {"a": [1]}}
def main(o):
    return o["a"]["b"]

#: ex-index | uncaught
#> {"xs": [1, 2], "i": 1}
#> {"xs": [1, 2], "i": 2}
#> {"xs": [1, 2], "i": -2}
#> {"xs": [1, 2], "i": -3}
#> {"xs": "ab", "i": 0}
#> {"xs": [1, 2], "i": "0"}
#> {"xs": {"0": 1}, "i": 0}
#> {"xs": [5, 6], "i": true}
def main(xs, i):
    return xs[i]

#: ex-argument-counts | calls
def f(a, b=2, *, c=3):
    return [a, b, c]
def main():
    out = []
    for args, kw in [((1,), {}), ((1, 5), {"c": 6}), ((), {}), ((1, 2, 3), {}), ((1,), {"d": 1}), ((1,), {"a": 2}), ((), {"a": 9, "b": None})]:
        try:
            out.append(f(*args, **kw))
        except TypeError:
            out.append("TypeError")
    return out

#: ex-type-name | types
def main():
    try:
        int("z")
    except ValueError as e:
        return [type(e).__name__, type(e) is ValueError, isinstance(e, Exception), type(e) == ValueError, e.__class__.__name__]

#: ex-json | library
#> {"s": "{\"a\": 1}"}
#> {"s": "{\"a\": 1,}"}
#> {"s": ""}
import json
def main(s):
    try:
        return json.loads(s)
    except json.JSONDecodeError as e:
        return ["bad json", isinstance(e, ValueError)]
    except ValueError:
        return "value"
