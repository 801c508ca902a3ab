//go:build !trammelfault

package main

// fault does nothing in the program that is shipped.
func fault() {}
