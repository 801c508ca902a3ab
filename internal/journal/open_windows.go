package journal

const noFollow = 0
