#: order-1 | evaluation order
def main():
    a = 1
    def bump():
        nonlocal a
        a = 10
        return 1
    return a + bump()

#: key-of-whole-float | borders
def main():
    return {1e16: 1, 5.0: 2, 1e-7: 3, 0.5: 4, -0.0: 5}

#: constant-of-type | attributes
from datetime import datetime, date, timezone
def main():
    zone = timezone
    return [str(timezone.utc), str(zone.utc), str(date.min), str(date(2024, 1, 1).max), str(datetime.min)]

#: lookup-before-comprehension | evaluation order
def main():
    log = []
    try:
        {1}.append([log.append(q) for q in [1]])
    except AttributeError:
        log.append("AttributeError")
    xs = []
    xs.append([q * 2 for q in (1, 2)])
    xs.extend(*[[q] for q in "a"])
    return [log, xs, "-".join([str(q) for q in (1, 2)]), {"a": 1}.get(*[k for k in "ab"])]
