def main():
    i = 0
    c = True
    while c:
        i = i + 1
        c = i < 1000000
    return i
