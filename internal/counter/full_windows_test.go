package counter

func takeUntilLimit(string, int) {}
