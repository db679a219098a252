"""The parts of reading a PDF: what a page holds, its order, and what its lines are."""
