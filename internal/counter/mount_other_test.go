//go:build !linux && !windows

package counter

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }

func unmount(string) {}
