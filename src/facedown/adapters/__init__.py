"""Other programs' games behind the questions that ours answer."""
