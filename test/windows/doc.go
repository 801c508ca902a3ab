// Package windows runs the Windows programs below Wine: make e2e-windows.
package windows
