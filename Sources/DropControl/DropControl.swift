import DropEngine
