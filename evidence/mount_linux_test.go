package evidence

import "syscall"

func mountSmall(dir, options string) error { return syscall.Mount("tmpfs", dir, "tmpfs", 0, options) }

func unmount(dir string) { syscall.Unmount(dir, syscall.MNT_DETACH) }
