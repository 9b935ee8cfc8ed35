#: order-1 | evaluation order
def main():
    a = 1
    def bump():
        nonlocal a
        a = 10
        return 1
    return a + bump()
