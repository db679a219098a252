"""Speed and size of the engine, measured beside what others do on the same children."""
