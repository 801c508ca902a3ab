//go:build !linux && !windows

package state

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }

func unmount(string) {}
