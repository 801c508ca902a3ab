package evidence

func appendUntilLimit(string, int) {}
