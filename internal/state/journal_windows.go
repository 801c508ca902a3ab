package state

const noFollow = 0
