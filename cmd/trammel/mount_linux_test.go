package main

import "syscall"

func mountSmall(dir string) error { return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k") }

func unmount(dir string) { syscall.Unmount(dir, syscall.MNT_DETACH) }
