package process

// NextFile is where a run is written before it is on record.
func NextFile(state, process, run string) string { return shelf{state, process}.path(fileNext, run) }
