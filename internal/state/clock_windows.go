package state

import "golang.org/x/sys/windows"

func sinceStart() int64 { return int64(windows.DurationSinceBoot()) }
