//go:build !linux

package idle

func dropFilePages() {}
