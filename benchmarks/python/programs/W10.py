def main(x):
    a = x + 5
    b = a * 3
    p = b < 100
    tier = "low" if p else "high"
    k = "user_" + tier
    o = {"id": x}
    o["name"] = k
    g = o["name"]
    if g:
        return o
