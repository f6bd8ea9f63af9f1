#define EARLIER_DATATYPES(each) 
#define F08_VARIABLES(each) 
