"""What each choice of the analyzer and of the fusion is worth, measured over built indexes."""
