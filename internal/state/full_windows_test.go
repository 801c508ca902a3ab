package state

func takeUntilLimit(string, int) {}
