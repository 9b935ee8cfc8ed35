def main(n):
    grid = [[0] * n for _ in range(n)]
    for y in range(n):
        for x in range(n):
            grid[y][x] = x * y % 7
    total = 0
    for y in range(1, n - 1):
        for x in range(1, n - 1):
            total += grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] + grid[y][x + 1]
    return total
