// Package dist makes releases. dist/make is the program ("make dist");
// dist/content is what a package is made of, and each folder beside it writes
// one format. Nothing here is linked into the products.
package dist
