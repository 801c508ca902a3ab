//go:build !linux && !windows

package evidence

import "errors"

func mountSmall(dir, options string) error { return errors.ErrUnsupported }

func unmount(string) {}
